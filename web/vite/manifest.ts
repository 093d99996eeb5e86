/** What Vite tells of a build: the files of each module that something is loaded by, by its path below web/. */
export type Manifest = Readonly<Record<string, ManifestEntry>>;

interface ManifestEntry {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
}

/**
 * The scripts and styles that entries load at once, those that they import included.
 *
 * @param later also what is loaded when it is needed
 */
export function reachedFrom(
  manifest: Manifest,
  entries: readonly string[],
  { later = false } = {},
): readonly string[] {
  const reached = new Set(entries);
  // A set that is added to is walked to its end.
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
