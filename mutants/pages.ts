import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { instrumented, pageBuilds, repository, targetFiles, workFolder } from './targets.ts';

/** Builds the pages with mutants from a copy of the sources, unless this build exists. */
export function ensurePagesBuilt(): void {
  const build = join(pageBuilds, hashOfSources());
  if (existsSync(build)) return;
  console.log('Building the pages with mutants ...');
  const copy = join(workFolder, 'web');
  for (const folder of [copy, pageBuilds]) rmSync(folder, { recursive: true, force: true });
  cpSync(join(repository, 'web'), copy, {
    recursive: true,
    filter: (path) => !/web[\\/](?:dist|node_modules|\.build)|\.test\.tsx?$/.test(path),
  });
  cpSync(join(repository, 'tsconfig.json'), join(workFolder, 'tsconfig.json'));
  for (const file of targetFiles)
    if (file.startsWith('web/')) writeFileSync(join(workFolder, file), instrumented(file));
  execFileSync(process.execPath, [join(copy, 'vite/build-pages.ts'), build], {
    cwd: copy,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function hashOfSources(): string {
  const hash = createHash('sha256');
  const sources = ['web/*.{html,ts}', 'web/{src,vite,public}/**/*.*', 'contract/src/**/*.ts'];
  for (const file of globSync(sources, { cwd: repository }).sort())
    if (!/\.test\.tsx?$/.test(file)) hash.update(file).update(readFileSync(join(repository, file)));
  for (const file of targetFiles) if (file.startsWith('web/')) hash.update(instrumented(file));
  return hash.digest('hex').slice(0, 20);
}
