import { existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './repository.ts';

/** Links the installed packages into a copy of the repository, and our own packages to the folders of the copy. */
export function linkPackages(folder: string): void {
  const from = join(repository, 'node_modules');
  const to = join(folder, 'node_modules');
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name !== '@classledger') symlinkSync(join(from, name), join(to, name));
  }
  mkdirSync(join(to, '@classledger'));
  for (const workspace of readdirSync(folder).filter((name) => isWorkspace(join(folder, name)))) {
    symlinkSync(join(folder, workspace), join(to, '@classledger', workspace));
    const own = join(repository, workspace, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(folder, workspace, 'node_modules'));
  }
}

function isWorkspace(folder: string): boolean {
  return lstatSync(folder).isDirectory() && readdirSync(folder).includes('package.json');
}
