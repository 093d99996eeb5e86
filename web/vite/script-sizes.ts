import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { builtFolders } from '../../server/src/features/web/web-build.ts';
import { filesLoadedBy, readManifest } from './manifest.ts';

interface FirstLoad {
  readonly bundle: 'main' | 'student';
  readonly page: string;
  readonly inside?: string;
}

export const firstLoads = {
  public: { bundle: 'main', page: 'index.html' },
  admin: { bundle: 'main', page: 'admin.html' },
  'admin, signed in': { bundle: 'main', page: 'admin.html', inside: 'src/admin/SignedInApp.tsx' },
  student: { bundle: 'student', page: 'student.html' },
} as const satisfies Record<string, FirstLoad>;

const folder = () => builtFolders()[0] ?? '';
const readBuiltFile = (file: string) => readFileSync(join(folder(), file), 'utf8');

/** Returns the bytes of script, after gzip, that a first load fetches. */
export function scriptBytes({ bundle, page, inside }: FirstLoad): number {
  const [firstPaint = ''] = /assets\/first-paint-[\w-]+\.js/.exec(readBuiltFile(page)) ?? [];
  const entries = [page, ...(inside === undefined ? [] : [inside])];
  return [...filesLoadedBy(readManifest(folder(), bundle), entries), firstPaint]
    .filter((file) => file.endsWith('.js'))
    .reduce((sum, file) => sum + gzipSync(readBuiltFile(file), { level: 9 }).length, 0);
}

export function allLoadableFiles({ bundle, page }: FirstLoad) {
  const manifest = readManifest(folder(), bundle);
  return { files: filesLoadedBy(manifest, [page], { later: true }), start: manifest[page]?.file ?? '' };
}

if (import.meta.main)
  for (const [name, load] of Object.entries(firstLoads))
    console.log(`${name.padEnd(16)} ${(scriptBytes(load) / 1_000).toFixed(1)} kB of script, gzip`);
