import { existsSync, readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the builds of the pages lie, a folder each; see `commands/build-web.ts`, which puts them there. */
export const webBuilds = fileURLToPath(new URL('../../../../web/dist', import.meta.url));

/** The folders of all builds that are there; what is served is the first, which was wanted last. */
export function builtFolders(folder = webBuilds): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => existsSync(join(path, 'index.html')))
    .map((path) => ({ path, wanted: statSync(path).mtimeMs }))
    .sort((one, other) => other.wanted - one.wanted)
    .map(({ path }) => path);
}

/** What stands in the built pages where each answer gets a nonce of its own. */
const noncePlaceholder = /__CSP_NONCE__/g;

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** The encodings that the build made of a file, the smallest first. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** A file of the build that is served as it is. */
export interface WebFile {
  /** From the root of the server, for example /assets/admin-4fGh2k.js. */
  readonly path: string;
  readonly contentType: string;
  readonly encodings: readonly ('br' | 'gzip')[];
  read(encoding: 'br' | 'gzip' | null): Promise<Buffer>;
}

/** Below this, a name stands for its content for ever. */
export const assets = '/assets/';

export type PageName = 'index' | 'admin' | 'student';

/** The built front end as the server sends it. */
export interface WebBuild {
  readonly files: readonly WebFile[];
  /** A page with a nonce in every place that wants one. */
  page(name: PageName, nonce: string): string;
}

/**
 * Reads what there is to serve; null while nothing is built. Pages that were opened before the pages were built
 * anew go on loading their parts, so the assets of the earlier builds are served too: their names change with
 * their content.
 */
export async function readWebBuild(folder = webBuilds): Promise<WebBuild | null> {
  const [newest, ...earlier] = builtFolders(folder);
  if (newest === undefined) return null;
  const names = ['index', 'admin', 'student'] as const;
  const pages = new Map<PageName, string>();
  for (const name of names) pages.set(name, await readFile(join(newest, `${name}.html`), 'utf8'));
  const files = new Map(filesOf(newest).map((file) => [file.path, file]));
  for (const file of earlier.flatMap(filesOf)) {
    if (file.path.startsWith(assets) && !files.has(file.path)) files.set(file.path, file);
  }
  return {
    files: [...files.values()],
    page: (name, nonce) => (pages.get(name) ?? '').replace(noncePlaceholder, nonce),
  };
}

function filesOf(folder: string): WebFile[] {
  const present = new Set(
    readdirSync(folder, { recursive: true }).map((name) => String(name).replaceAll('\\', '/')),
  );
  return [...present]
    .filter((name) => contentTypes[extname(name)] && !name.startsWith('.'))
    .map((name) => webFile(folder, name, present));
}

/** Its bytes are read once per encoding and kept. */
function webFile(folder: string, name: string, present: ReadonlySet<string>): WebFile {
  const kept = new Map<string, Promise<Buffer>>();
  return {
    path: `/${name}`,
    contentType: contentTypes[extname(name)] ?? 'application/octet-stream',
    encodings: encodings.flatMap(([encoding, suffix]) => (present.has(name + suffix) ? [encoding] : [])),
    read: (encoding) => {
      const suffix = encodings.find(([known]) => known === encoding)?.[1] ?? '';
      let bytes = kept.get(suffix);
      if (!bytes) {
        bytes = readFile(join(folder, name + suffix));
        // A file that cannot be read now may be readable later.
        bytes.catch(() => kept.delete(suffix));
        kept.set(suffix, bytes);
      }
      return bytes;
    },
  };
}
