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

/** Files whose commands name the version of the tarball and the image. */
export const namingVersion = [
  'README.md',
  'deploy/README.md',
  'deploy/compose/example.env',
  'deploy/container/Containerfile',
  'deploy/kubernetes/kustomization.yaml',
  'docs/operations.md',
];

/** Where such a file names a version: in `classledger-1.0.0.tgz`, `classledger:1.0.0`, `newTag: 1.0.0` or `VERSION=1.0.0`. */
export const namedVersions = /(?<=classledger[-:]|newTag: |^VERSION=)\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?/gm;

function setVersion(manifest: Manifest, version: string): void {
  manifest.version = version;
  for (const kind of kindsOfDependencies) {
    const dependencies = (manifest[kind] ?? {}) as Record<string, string>;
    for (const [name, wanted] of Object.entries(dependencies)) {
      if (name.startsWith('@classledger/') && !wanted.startsWith('file:')) dependencies[name] = version;
    }
  }
}
