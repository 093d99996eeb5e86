/** Vite's manifest of a build: the files of each module, by its path below web/. */
export type Manifest = Readonly<Record<string, ManifestEntry>>;

interface ManifestEntry {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
}

/**
 * Returns the scripts and styles that entries load at once, including their imports.
 *
 * @param later includes files that are loaded on demand
 */
export function reachedFrom(
  manifest: Manifest,
  entries: readonly string[],
  { later = false } = {},
): readonly string[] {
  const reached = new Set(entries);
  for (const key of reached) {
    const { imports = [], dynamicImports = [] } = entryOf(manifest, key);
    for (const imported of later ? [...imports, ...dynamicImports] : imports) reached.add(imported);
  }
  const files = [...reached]
    .map((key) => entryOf(manifest, key))
    .flatMap(({ file, css = [] }) => [file, ...css]);
  return [...new Set(files)];
}

function entryOf(manifest: Manifest, key: string): ManifestEntry {
  const entry = manifest[key];
  if (!entry) throw new Error(`The build has no ${key}`);
  return entry;
}
