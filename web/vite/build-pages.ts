import { parse, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { finishBuild } from './finish-build.ts';

/** The students' app is a bundle of its own, so that it contains no parts that only administrators need. */
const bundles = {
  main: { public: 'index.html', admin: 'admin.html' },
  student: { student: 'student.html' },
} as const;

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

async function buildPages(outDir: string): Promise<void> {
  for (const [name, input] of Object.entries(bundles)) {
    const pages = Object.fromEntries(Object.entries(input).map(([key, page]) => [key, pathOf(`../${page}`)]));
    await build({
      configFile: pathOf('../vite.config.ts'),
      configLoader: 'native',
      mode: name,
      logLevel: 'warn',
      build: {
        outDir,
        emptyOutDir: false,
        manifest: `.vite/${name}.json`,
        rolldownOptions: {
          input: pages,
          output: {
            codeSplitting: { groups: sharedFiles(pages) },
          },
        },
      },
    });
  }
  await finishBuild(outDir);
}

type Modules = Rolldown.ChunkingContext;

/**
 * Groups modules into files, because small files compress badly and a browser requests six at a time. The files of the
 * start page contain only modules that it needs. Icons and widely shared modules have files of their own.
 */
function sharedFiles(pages: Readonly<Record<string, string>>) {
  let reached: readonly ReachableModules[] | undefined;
  let inside: ReadonlySet<string> | undefined;
  const fileOf = (id: string, modules: Modules) => {
    reached ??= Object.entries(pages).map(([name, page]) => reachableModules(name, page, modules));
    inside ??= 'admin' in pages ? collectModules([signedInApp], false, modules) : new Set();
    const first = reached.filter((page) => page.first.has(id));
    const ever = reached.filter((page) => page.ever.has(id));
    if (first.length === reached.length) return 'first';
    if (ever.length === reached.length && first.some(({ name }) => name === 'admin')) return 'often';
    if (first.some(({ name }) => name === 'admin')) return 'first-of-admin';
    if (first.length > 0) return id.includes('node_modules') || inside.has(id) ? 'start' : null;
    // Stays in a file of its own, by which the manifest identifies this part.
    if (id === signedInApp) return null;
    if (inside.has(id)) return ever.length === reached.length ? 'often-inside' : 'signed-in';
    if (ever.some(({ name }) => name !== 'admin')) return null;
    return /icons-react/.test(id) ? 'icons' : 'shared';
  };
  // Lowest priority first. Each group also takes what its modules import, unless a group of higher priority has it.
  const files = ['shared', 'icons', 'signed-in', 'often-inside', 'start', 'first-of-admin', 'often', 'first'];
  return files.map((file, priority) => ({
    debugName: file,
    name: (id: string, modules: Modules) => (fileOf(id, modules) === file ? file : null),
    priority,
    minShareCount: { shared: 6, icons: 2 }[file] ?? 1,
  }));
}

const signedInApp = pathOf('../src/admin/SignedInApp.tsx');

interface ReachableModules {
  readonly name: string;
  readonly first: ReadonlySet<string>;
  readonly ever: ReadonlySet<string>;
}

function reachableModules(name: string, page: string, modules: Modules): ReachableModules {
  const first = collectModules([page], false, modules);
  return { name, first, ever: collectModules(first, true, modules) };
}

/** Index files that export a whole library, although an importing file uses little of it. */
const libraryIndexPattern =
  /(?:@mantine[\\/](?:core|hooks)[\\/]esm[\\/]index|@tabler[\\/]icons-react[\\/]dist[\\/]esm[\\/]tabler-icons-react)/;

function collectModules(
  from: Iterable<string>,
  includesLazy: boolean,
  modules: Modules,
): ReadonlySet<string> {
  const reached = new Set(from);
  for (const id of reached) {
    const { code = null, importedIds = [], dynamicallyImportedIds = [] } = modules.getModuleInfo(id) ?? {};
    for (const imported of importedIds) {
      if (!libraryIndexPattern.test(imported)) reached.add(imported);
      else for (const part of importedLibraryFiles(imported, code ?? '', modules)) reached.add(part);
    }
    if (includesLazy) for (const imported of dynamicallyImportedIds) reached.add(imported);
  }
  return reached;
}

/** Returns the library's files with the exports that code imports from its index, like `use-id.mjs` with `useId`. */
function importedLibraryFiles(library: string, code: string, modules: Modules): readonly string[] {
  const names = new Set(
    [...code.matchAll(/import\s*\{([^}]*)\}/g)].flatMap(([, list = '']) => list.split(/[\s,]+/)),
  );
  return (modules.getModuleInfo(library)?.importedIds ?? []).filter((id) =>
    names.has(toCamelCase(parse(id).name)),
  );
}

const toCamelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

await buildPages(resolve(process.argv[2] ?? pathOf('../dist/by-hand')));
