interface Manifest {
  name?: string;
  version?: string;
  workspaces?: string[];
  packages?: Record<string, Manifest>;
  [kind: string]: unknown;
}

const kindsOfDependencies = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** Sets the version of our packages, and of their dependencies on each other, in a package.json or the lock file. */
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

export const filesNamingVersion = [
  'README.md',
  'deploy/README.md',
  'deploy/compose/example.env',
  'deploy/container/Containerfile',
  'deploy/kubernetes/kustomization.yaml',
  'docs/operations.md',
];

/** Matches the version in `classledger-1.0.0.tgz`, `classledger:1.0.0`, `newTag: 1.0.0` and `VERSION=1.0.0`. */
export const versionPattern = /(?<=classledger[-:]|newTag: |^VERSION=)\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?/gm;

function setVersion(manifest: Manifest, version: string): void {
  manifest.version = version;
  for (const kind of kindsOfDependencies) {
    const dependencies = (manifest[kind] ?? {}) as Record<string, string>;
    for (const [name, wanted] of Object.entries(dependencies)) {
      if (name.startsWith('@classledger/') && !wanted.startsWith('file:')) dependencies[name] = version;
    }
  }
}
