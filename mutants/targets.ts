import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vitest/config';
import { findMutants, instrument, type Mutant } from './mutants.ts';

export const repository = resolve(import.meta.dirname, '..');

export const workFolder = join(repository, '.vitest/mutants');

/** The server under test serves these builds. */
export const pageBuilds = join(workFolder, 'pages');

const targets = [
  'server/src/{access,idempotency,features/scores,features/credentials,changes,http}/**/*.ts',
  'web/src/admin/outbox/{attempt,entry-store,mark-entry,outbox,points-entry,scoring-queue}.ts',
  'web/src/admin/classroom/scoring/{scoring-board.ts,Board.tsx,ClassBoard.tsx,board-context.ts}',
];

export const targetFiles: readonly string[] = globSync(targets, { cwd: repository })
  .filter((file) => !/\.(?:test|d)\.tsx?$/.test(file))
  .map((file) => file.replaceAll('\\', '/'))
  .sort();

const sourceOf = (file: string) => readFileSync(join(repository, file), 'utf8');

export const linesOf = (file: string): number => sourceOf(file).split('\n').length;

export const mutantsOf = (file: string): readonly Mutant[] => findMutants(file, sourceOf(file));

/** Returns the source of a target with its mutants. */
export const instrumented = (file: string): string => instrument(file, sourceOf(file));

const webBuilds = "'../../../../web/dist'";

/** Instruments the targets and makes the server serve pages with mutants. */
export const withMutants: Plugin = {
  name: 'mutants',
  enforce: 'pre',
  transform(code, id) {
    const [file = ''] = id.slice(repository.length + 1).split('?');
    if (targetFiles.includes(file)) return { code: instrument(file, code), map: null };
    if (file !== 'server/src/features/web/web-build.ts') return null;
    if (!code.includes(webBuilds)) throw new Error(`${file} no longer says where pages are`);
    return { code: code.replace(webBuilds, "'../../../../.vitest/mutants/pages'"), map: null };
  },
};
