import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filesLoadedBy, type Manifest } from './manifest.ts';

const apps = { student: 'student', admin: 'main' } as const;

/** @param firstPaint the file name of each page's first-paint script */
export async function writeServiceWorkers(
  outDir: string,
  firstPaint: Readonly<Record<string, string>>,
): Promise<void> {
  const source = await readFile(join(outDir, 'worker.js'), 'utf8');
  for (const [app, bundle] of Object.entries(apps)) {
    const manifest: Manifest = JSON.parse(await readFile(join(outDir, `.vite/${bundle}.json`), 'utf8'));
    const page = `${app}.html`;
    const [start, ...others] = filesLoadedBy(manifest, [page], { later: true });
    const pictures = Object.values(manifest).flatMap(({ assets = [] }) => assets);
    const files = [start, firstPaint[app], ...others, ...new Set(pictures), 'icon.svg'].map(
      (file) => `/${file}`,
    );
    const html = await readFile(join(outDir, page), 'utf8');
    const build = createHash('sha256')
      .update([html, ...files].join('\n'))
      .digest('base64url')
      .slice(0, 8);
    const names: Readonly<Record<string, string>> = { APP: app, FILES: files.join(' '), BUILD: build };
    const worker = source.replace(/__([A-Z]+)__/g, (_, name: string) => names[name] ?? '');
    await writeFile(join(outDir, `${app}-worker.js`), worker);
  }
  await rm(join(outDir, 'worker.js'));
}
