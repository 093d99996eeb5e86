import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import viewer from '@scalar/fastify-api-reference';
import fastify from 'fastify';
import { build } from 'vite';
import { compressCopies } from './compressed-copies.ts';

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
            codeSplitting: { groups: [{ debugName: 'first load', name: inOneFile(Object.values(pages)) }] },
          },
        },
      },
    });
  }
  await tellWorker(outDir);
  await writeFile(join(outDir, 'docs/assets/viewer.js'), await viewerScript());
  await compressCopies(outDir);
}

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/**
 * Puts what every page of a bundle loads first into one file. Left to itself, the bundler would cut it along what the
 * parts that are loaded later share with it, and small files compress badly.
 */
function inOneFile(pages: readonly string[]) {
  let reached: readonly ReadonlySet<string>[] | undefined;
  return (id: string, modules: Modules): string | null => {
    reached ??= pages.map((page) => reachedFrom(page, modules));
    return reached.every((ids) => ids.has(id)) ? 'first' : null;
  };
}

/** Names everything that the library has, of which a page takes little. */
const library = /@mantine[\\/]core[\\/]esm[\\/]index/;

function reachedFrom(page: string, modules: Modules): ReadonlySet<string> {
  const reached = new Set([page]);
  // A set that is added to is walked to its end.
  for (const id of reached) {
    if (library.test(id)) continue;
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
  }
  return reached;
}

interface ManifestEntry {
  readonly file: string;
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
}

/** Names the files of the students' app to its worker, which keeps them for openings without a network. */
async function tellWorker(outDir: string): Promise<void> {
  const manifest: Record<string, ManifestEntry> = JSON.parse(
    await readFile(join(outDir, '.vite/student.json'), 'utf8'),
  );
  const built = Object.values(manifest).flatMap(({ file, css = [], assets = [] }) => [
    file,
    ...css,
    ...assets,
  ]);
  const files = ['first-paint.js', 'icon.svg', ...new Set(built)].map((file) => `/${file}`);
  const worker = join(outDir, 'student-worker.js');
  await writeFile(worker, (await readFile(worker, 'utf8')).replace('__STUDENT_FILES__', files.join(' ')));
}

/**
 * The script of the API reference: 4 MB of JavaScript, which its package holds as a text inside of a Fastify plugin
 * and hands out by a route of this plugin alone.
 */
async function viewerScript(): Promise<Buffer> {
  const app = fastify();
  await app.register(viewer, { routePrefix: '/viewer', configuration: { url: '/api/v1/openapi.json' } });
  const answer = await app.inject('/viewer/js/scalar.js');
  if (answer.statusCode !== 200) throw new Error(`The viewer's script is not there: ${answer.statusCode}`);
  return answer.rawPayload;
}

await buildPages(resolve(process.argv[2] ?? here('../dist/by-hand')));
