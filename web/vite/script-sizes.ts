import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { builtFolders } from '../../server/src/features/web/web-build.ts';
import { type Manifest, reachedFrom } from './manifest.ts';

interface FirstLoad {
  /** The bundle's manifest; see build-pages.ts. */
  readonly bundle: 'main' | 'student';
  readonly page: string;
  readonly inside?: string;
}

export const firstLoads = {
  public: { bundle: 'main', page: 'index.html' },
  admin: { bundle: 'main', page: 'admin.html' },
  'admin, signed in': { bundle: 'main', page: 'admin.html', inside: 'src/admin/SignedIn.tsx' },
  student: { bundle: 'student', page: 'student.html' },
} as const satisfies Record<string, FirstLoad>;

const builtFile = (file: string) => readFileSync(join(builtFolders()[0] ?? '', file), 'utf8');
const manifestOf = ({ bundle }: FirstLoad): Manifest => JSON.parse(builtFile(`.vite/${bundle}.json`));

/** Returns the bytes of script, after gzip, that a first load fetches. */
export function scriptBytes(load: FirstLoad): number {
  const [firstPaint = ''] = /assets\/first-paint-[\w-]+\.js/.exec(builtFile(load.page)) ?? [];
  const entries = [load.page, ...(load.inside === undefined ? [] : [load.inside])];
  return [...reachedFrom(manifestOf(load), entries), firstPaint]
    .filter((file) => file.endsWith('.js'))
    .reduce((sum, file) => sum + gzipSync(builtFile(file), { level: 9 }).length, 0);
}

/** Returns the files that a page may load at any time, and its start script. */
export function everLoaded(load: FirstLoad): { readonly files: readonly string[]; readonly start: string } {
  const manifest = manifestOf(load);
  return {
    files: reachedFrom(manifest, [load.page], { later: true }),
    start: manifest[load.page]?.file ?? '',
  };
}
