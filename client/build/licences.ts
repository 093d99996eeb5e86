import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export function licencesOf(modules: readonly string[]): string {
  const folders = new Set(
    modules.flatMap((file) => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []),
  );
  return [...folders]
    .sort()
    .map(licenceOf)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [file] = globSync('{LICENSE,LICENCE,License,license}*', { cwd: folder });
  if (!file && !license) throw new Error(`${name} has no licence`);
  const text = file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '';
  return `${name} ${version} (${license})\n\n${text}`;
}
