import { parse, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { compressCopies } from './compressed-copies.ts';
import { finishFirstPaint } from './first-paint.ts';
import { makeWorkers } from './workers.ts';

/**
 * The students' app is built apart from the others: what only administrators need of a shared library stays out
 * of it. The start page and the administrators' app share what they can, as one leads to the other.
 */
const bundles = {
  main: { public: 'index.html', admin: 'admin.html' },
  student: { student: 'student.html' },
} as const;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Builds all pages into a folder: `node web/vite/build-pages.ts <folder>`. */
async function buildPages(outDir: string): Promise<void> {
  for (const [name, input] of Object.entries(bundles)) {
    const pages = Object.fromEntries(Object.entries(input).map(([key, page]) => [key, here(`../${page}`)]));
    await build({
      configFile: here('../vite.config.ts'),
      configLoader: 'native',
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
  await makeWorkers(outDir, await finishFirstPaint(outDir));
  await compressCopies(outDir);
}

interface Modules {
  getModuleInfo(id: string): {
    readonly code: string | null;
    readonly importedIds: readonly string[];
    readonly dynamicallyImportedIds: readonly string[];
  } | null;
}

/**
 * Says which modules share a file: small files compress badly, and a browser asks for six at a time. What every page of a
 * bundle loads first is one, what the administrators' sign-in loads besides another, and what stands behind it a third. What the
 * start page may load never lies with what it does not need. Of the rest, icons and what many pages share have their own.
 */
function sharedFiles(pages: Readonly<Record<string, string>>) {
  let reached: readonly Reached[] | undefined;
  let inside: ReadonlySet<string> | undefined;
  const fileOf = (id: string, modules: Modules) => {
    reached ??= Object.entries(pages).map(([name, page]) => reachedFrom(name, page, modules));
    inside ??= 'admin' in pages ? walk([signedInPart], false, modules) : new Set();
    const [first, ever] = [
      reached.filter((page) => page.first.has(id)),
      reached.filter((page) => page.ever.has(id)),
    ];
    if (first.length === reached.length) return 'first';
    if (ever.length === reached.length && first.some(({ name }) => name === 'admin')) return 'often';
    if (first.some(({ name }) => name === 'admin')) return 'first-of-admin';
    if (first.length > 0) return id.includes('node_modules') || inside.has(id) ? 'start' : null;
    // Its own file is what the manifest knows it by.
    if (id === signedInPart) return null;
    if (inside.has(id)) return ever.length === reached.length ? 'often-inside' : 'signed-in';
    if (ever.some(({ name }) => name !== 'admin')) return null;
    return /icons-react/.test(id) ? 'icons' : 'shared';
  };
  // Each takes along what its modules import, as far as none before it has.
  const files = ['shared', 'icons', 'signed-in', 'often-inside', 'start', 'first-of-admin', 'often', 'first'];
  return files.map((file, priority) => ({
    debugName: file,
    name: (id: string, modules: Modules) => (fileOf(id, modules) === file ? file : null),
    priority,
    minShareCount: { shared: sharedByMin, icons: 2 }[file] ?? 1,
  }));
}

const sharedByMin = 6;
const signedInPart = here('../src/admin/SignedIn.tsx');

/** The modules that a page needs to be shown, and those that it may ever load. */
interface Reached {
  readonly name: string;
  readonly first: ReadonlySet<string>;
  readonly ever: ReadonlySet<string>;
}

function reachedFrom(name: string, page: string, modules: Modules): Reached {
  const first = walk([page], false, modules);
  return { name, first, ever: walk(first, true, modules) };
}

/** Names everything that a library has, of which each file takes little. */
const wholeLibrary =
  /(?:@mantine[\\/]core[\\/]esm[\\/]index|@tabler[\\/]icons-react[\\/]dist[\\/]esm[\\/]tabler-icons-react)/;

function walk(from: Iterable<string>, withLater: boolean, modules: Modules): ReadonlySet<string> {
  const reached = new Set(from);
  // A set that is added to is walked to its end.
  for (const id of reached) {
    const { code = null, importedIds = [], dynamicallyImportedIds = [] } = modules.getModuleInfo(id) ?? {};
    for (const imported of importedIds) {
      if (!wholeLibrary.test(imported)) reached.add(imported);
      else for (const part of namedParts(imported, code ?? '', modules)) reached.add(part);
    }
    if (withLater) for (const imported of dynamicallyImportedIds) reached.add(imported);
  }
  return reached;
}

/** The files of a library that have the names of what a file imports. */
function namedParts(library: string, code: string, modules: Modules): readonly string[] {
  const names = new Set(
    [...code.matchAll(/import\s*\{([^}]*)\}/g)].flatMap(([, list = '']) => list.split(/[\s,]+/)),
  );
  return (modules.getModuleInfo(library)?.importedIds ?? []).filter((id) => names.has(parse(id).name));
}

await buildPages(resolve(process.argv[2] ?? here('../dist/by-hand')));
