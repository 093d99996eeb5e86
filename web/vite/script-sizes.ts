import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}

const dist = fileURLToPath(new URL('../dist', import.meta.url));

/** What a first load fetches: the chunks that stand for it in the build's manifest. */
export const firstLoads = {
  public: ['index.html'],
  admin: ['admin.html', 'src/admin/pages/dashboard/DashboardPage.tsx'],
  student: ['student.html'],
} as const;

/** Bytes of script, gzip, that are statically reachable from entries of the built manifest. */
export function scriptBytes(entries: readonly string[], folder = dist): number {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >;
  const reached = new Set<string>();
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`The build has no ${key}`);
    if (reached.has(key)) return;
    reached.add(key);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const entry of entries) visit(entry);
  const files = new Set([...reached].map((key) => manifest[key]?.file ?? ''));
  return [...files, 'first-paint.js']
    .filter((file) => file.endsWith('.js'))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0);
}
