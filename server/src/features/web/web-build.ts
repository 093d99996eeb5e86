import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the built pages lie; see `commands/build-web.ts`, which puts them there. */
export const webDist = fileURLToPath(new URL('../../../../web/dist', import.meta.url));

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
  /** Its bytes; read once per encoding and kept. */
  read(encoding: 'br' | 'gzip' | null): Promise<Buffer>;
}

export type PageName = 'index' | 'admin' | 'student';

/** The built front end as the server sends it. */
export interface WebBuild {
  readonly files: readonly WebFile[];
  /** A page with a nonce in every place that wants one. */
  page(name: PageName, nonce: string): string;
}

/** Reads what there is of the build; null while there is none. */
export async function readWebBuild(folder = webDist): Promise<WebBuild | null> {
  if (!existsSync(join(folder, 'index.html'))) return null;
  const names = ['index', 'admin', 'student'] as const;
  const pages = new Map<PageName, string>();
  for (const name of names) pages.set(name, await readFile(join(folder, `${name}.html`), 'utf8'));
  const present = new Set(
    readdirSync(folder, { recursive: true }).map((name) => String(name).replaceAll('\\', '/')),
  );
  const files = [...present].filter((name) => contentTypes[extname(name)] && !name.startsWith('.'));
  return {
    files: files.map((name) => webFile(folder, name, present)),
    page: (name, nonce) => (pages.get(name) ?? '').replace(noncePlaceholder, nonce),
  };
}

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
