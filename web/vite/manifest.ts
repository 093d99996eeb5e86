import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Manifest = Readonly<Record<string, ManifestEntry>>;

interface ManifestEntry {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
}

/** Reads the manifest of a bundle; see build-pages.ts. */
export const readManifest = (folder: string, bundle: 'main' | 'student'): Manifest =>
  JSON.parse(readFileSync(join(folder, `.vite/${bundle}.json`), 'utf8'));

/** Returns scripts and styles with their imports. @param later includes files that are loaded on demand */
export function filesLoadedBy(
  manifest: Manifest,
  entries: readonly string[],
  { later: includesLazy = false } = {},
): readonly string[] {
  const reached = new Set(entries);
  for (const key of reached) {
    const { imports = [], dynamicImports = [] } = manifestEntry(manifest, key);
    for (const imported of includesLazy ? [...imports, ...dynamicImports] : imports) reached.add(imported);
  }
  const files = [...reached]
    .map((key) => manifestEntry(manifest, key))
    .flatMap(({ file, css = [] }) => [file, ...css]);
  return [...new Set(files)];
}

function manifestEntry(manifest: Manifest, key: string): ManifestEntry {
  const entry = manifest[key];
  if (!entry) throw new Error(`The build manifest has no entry ${key}`);
  return entry;
}
