import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { filesLoadedBy, readManifest } from './manifest.ts';

const signedInApp = 'src/admin/SignedInApp.tsx';
const router = fileURLToPath(new URL('../src/admin/router.ts', import.meta.url));

/** Adds first-paint scripts, service workers and compressed copies to the files of a build. */
export async function finishBuild(outDir: string): Promise<void> {
  await writeServiceWorkers(outDir, await writeFirstPaint(outDir));
  await writeCompressedCopies(outDir);
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 8);

/** Writes a first-paint script per page, which lists files to load. A hash in its name lets browsers cache it. */
async function writeFirstPaint(outDir: string): Promise<Readonly<Record<string, string>>> {
  const script = await readFile(join(outDir, 'first-paint.js'), 'utf8');
  const names: Record<string, string> = {};
  for (const page of ['index', 'admin', 'student']) {
    const { inside, parts } = page === 'admin' ? await adminFiles(outDir) : { inside: [], parts: {} };
    const withInside = replaceOnce(script, 'const inside = [];', `const inside = ${JSON.stringify(inside)};`);
    const finished = replaceOnce(withInside, 'const parts = {};', `const parts = ${JSON.stringify(parts)};`);
    const name = `assets/first-paint-${hashOf(finished)}.js`;
    await writeFile(join(outDir, name), finished);
    const html = join(outDir, `${page}.html`);
    await writeFile(html, replaceOnce(await readFile(html, 'utf8'), '"/first-paint.js"', `"/${name}"`));
    names[page] = name;
  }
  await rm(join(outDir, 'first-paint.js'));
  return names;
}

/** Returns the files of the signed-in app, and the further files of each lazily loaded page by its path below /admin. */
async function adminFiles(outDir: string) {
  const manifest = readManifest(outDir, 'main');
  const addressesOf = (entries: readonly string[], without: readonly string[]) =>
    filesLoadedBy(manifest, entries)
      .filter((file) => !without.includes(file))
      .map((file) => `/${file}`);
  const first = filesLoadedBy(manifest, ['admin.html']);
  const known = filesLoadedBy(manifest, ['admin.html', signedInApp]);
  const source = await readFile(router, 'utf8');
  const found = source.split(/\b(?:page|createRoute)\(/).flatMap((route) => {
    const address = /'([^']+)'/.exec(route)?.[1];
    const page = /import\('\.\/([^']+)'\)/.exec(route)?.[1];
    if (address === undefined || page === undefined) return [];
    return [[address, addressesOf([`src/admin/${page}`], known)] as const];
  });
  // Fails when a route was missed, because its page would open slowly.
  const lazyCount = source.split('import(').length - 1;
  if (found.length !== lazyCount)
    throw new Error(
      `router.ts loads ${lazyCount} pages lazily, but only ${found.length} were found: write path and import() literally`,
    );
  return { inside: addressesOf([signedInApp], first), parts: Object.fromEntries(found) };
}

function replaceOnce(text: string, searched: string, replacement: string): string {
  if (text.split(searched).length !== 2) throw new Error(`"${searched}" must occur exactly once`);
  return text.replace(searched, () => replacement);
}

/** @param firstPaint the file name of each page's first-paint script */
async function writeServiceWorkers(outDir: string, firstPaint: Readonly<Record<string, string>>) {
  const source = await readFile(join(outDir, 'worker.js'), 'utf8');
  for (const [app, bundle] of [
    ['student', 'student'],
    ['admin', 'main'],
  ] as const) {
    const manifest = readManifest(outDir, bundle);
    const page = `${app}.html`;
    const [start, ...others] = filesLoadedBy(manifest, [page], { later: true });
    const pictures = Object.values(manifest).flatMap(({ assets = [] }) => assets);
    const files = [start, firstPaint[app], ...others, ...new Set(pictures), 'icon.svg'].map(
      (file) => `/${file}`,
    );
    const html = await readFile(join(outDir, page), 'utf8');
    const build = hashOf([html, ...files].join('\n'));
    const names: Readonly<Record<string, string>> = { APP: app, FILES: files.join(' '), BUILD: build };
    const worker = source.replace(/__([A-Z]+)__/g, (_, name: string) => names[name] ?? '');
    await writeFile(join(outDir, `${app}-worker.js`), worker);
  }
  await rm(join(outDir, 'worker.js'));
}

async function writeCompressedCopies(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const compressed = names.filter((name) => /\.(?:js|css|svg|webmanifest)$/.test(name));
  await Promise.all(compressed.map((name) => compress(join(folder, name))));
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
}
