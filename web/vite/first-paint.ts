import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesLoadedBy, type Manifest } from './manifest.ts';

const signedInApp = 'src/admin/SignedInApp.tsx';
const router = fileURLToPath(new URL('../src/admin/router.ts', import.meta.url));

/** Writes a first-paint script per page, which lists files to load. A hash in its name lets browsers cache it. */
export async function finishFirstPaint(outDir: string): Promise<Readonly<Record<string, string>>> {
  const script = await readFile(join(outDir, 'first-paint.js'), 'utf8');
  const names: Record<string, string> = {};
  for (const page of ['index', 'admin', 'student']) {
    const { inside, parts } = page === 'admin' ? await adminFiles(outDir) : noFiles;
    const withInside = replaceOnce(script, 'const inside = [];', `const inside = ${JSON.stringify(inside)};`);
    const finished = replaceOnce(withInside, 'const parts = {};', `const parts = ${JSON.stringify(parts)};`);
    const hash = createHash('sha256').update(finished).digest('base64url').slice(0, 8);
    const name = `assets/first-paint-${hash}.js`;
    await writeFile(join(outDir, name), finished);
    const html = join(outDir, `${page}.html`);
    await writeFile(html, replaceOnce(await readFile(html, 'utf8'), '"/first-paint.js"', `"/${name}"`));
    names[page] = name;
  }
  await rm(join(outDir, 'first-paint.js'));
  return names;
}

interface LazyFiles {
  readonly inside: readonly string[];
  /** The files of each lazily loaded page, by its path below /admin. */
  readonly parts: Readonly<Record<string, readonly string[]>>;
}

const noFiles: LazyFiles = { inside: [], parts: {} };

async function adminFiles(outDir: string): Promise<LazyFiles> {
  const manifest: Manifest = JSON.parse(await readFile(join(outDir, '.vite/main.json'), 'utf8'));
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
