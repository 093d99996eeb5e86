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

const heading = '## Unreleased';

/** Moves the unreleased notes to a section of this version. @throws Error if there are none */
export function extractReleaseNotes(
  changelog: string,
  version: string,
  date: string,
): { text: string; notes: string } {
  const [before, rest] = changelog.split(`${heading}\n`);
  if (rest === undefined) throw new Error(`CHANGELOG.md has no section "${heading}"`);
  const end = rest.search(/^## /m);
  const notes = (end === -1 ? rest : rest.slice(0, end)).trim();
  if (notes === '') throw new Error(`CHANGELOG.md has nothing below "${heading}"`);
  const older = end === -1 ? '' : `\n${rest.slice(end)}`;
  return { text: `${before}${heading}\n\n## ${version} (${date})\n\n${notes}\n${older}`, notes };
}
