import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { builtFolders } from '../../server/src/features/web/web-build.ts';
import { filesLoadedBy, type Manifest } from './manifest.ts';

interface FirstLoad {
  /** The bundle's manifest; see build-pages.ts. */
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

const readBuiltFile = (file: string) => readFileSync(join(builtFolders()[0] ?? '', file), 'utf8');
const readManifest = ({ bundle }: FirstLoad): Manifest => JSON.parse(readBuiltFile(`.vite/${bundle}.json`));

/** Returns the bytes of script, after gzip, that a first load fetches. */
export function scriptBytes(load: FirstLoad): number {
  const [firstPaint = ''] = /assets\/first-paint-[\w-]+\.js/.exec(readBuiltFile(load.page)) ?? [];
  const entries = [load.page, ...(load.inside === undefined ? [] : [load.inside])];
  return [...filesLoadedBy(readManifest(load), entries), firstPaint]
    .filter((file) => file.endsWith('.js'))
    .reduce((sum, file) => sum + gzipSync(readBuiltFile(file), { level: 9 }).length, 0);
}

export function allLoadableFiles(load: FirstLoad): {
  readonly files: readonly string[];
  readonly start: string;
} {
  const manifest = readManifest(load);
  return {
    files: filesLoadedBy(manifest, [load.page], { later: true }),
    start: manifest[load.page]?.file ?? '',
  };
}
