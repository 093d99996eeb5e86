import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { builtFolders } from '../../server/src/features/web/web-build.ts';

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}

interface FirstLoad {
  /** The manifest of the build that holds it, see build-pages.ts. */
  readonly bundle: 'main' | 'student';
  readonly entries: readonly string[];
}

/** What a first load fetches: the chunks that stand for it in a manifest. */
export const firstLoads = {
  public: { bundle: 'main', entries: ['index.html'] },
  admin: { bundle: 'main', entries: ['admin.html', 'src/admin/reports/dashboard/DashboardPage.tsx'] },
  student: { bundle: 'student', entries: ['student.html'] },
} as const satisfies Record<string, FirstLoad>;

/** Bytes of script, gzip, that are statically reachable from the entries. */
export function scriptBytes({ bundle, entries }: FirstLoad, folder = builtFolders()[0] ?? ''): number {
  const manifest = JSON.parse(readFileSync(join(folder, `.vite/${bundle}.json`), 'utf8')) as Record<
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
