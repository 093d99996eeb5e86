interface Manifest {
  name?: string;
  version?: string;
  workspaces?: string[];
  packages?: Record<string, Manifest>;
  [kind: string]: unknown;
}

const kindsOfDependencies = ['dependencies', 'devDependencies', 'optionalDependencies'];

/**
 * A package.json of ours, or the lock file, with a version for all that is ours: of the packages themselves and where
 * they name each other. Packages of others keep theirs.
 */
export function withVersion(text: string, version: string, workspaces: readonly string[]): string {
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.packages === undefined) {
    setVersion(manifest, version);
  } else {
    manifest.version = version;
    for (const place of ['', ...workspaces]) setVersion(manifest.packages[place] as Manifest, version);
  }
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function setVersion(manifest: Manifest, version: string): void {
  manifest.version = version;
  for (const kind of kindsOfDependencies) {
    const dependencies = (manifest[kind] ?? {}) as Record<string, string>;
    for (const name of Object.keys(dependencies).filter((one) => one.startsWith('@classledger/'))) {
      dependencies[name] = version;
    }
  }
}
