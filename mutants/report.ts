import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Mutant } from './mutants.ts';

export interface Fate extends Mutant {
  readonly fate: 'killed' | 'timed out' | 'survived' | 'not reached';
  readonly by?: { readonly file: string; readonly test: string };
  /** Test files within the budget. */
  readonly tests: number;
  /** Test files that reach the mutant. */
  readonly reachedBy: number;
}

export interface Report {
  readonly seed: string;
  /** Null for all tests. */
  readonly budgetSeconds: number | null;
  readonly seconds: number;
  /** Test files that fail without a mutant. */
  readonly failing: readonly string[];
  readonly fates: readonly Fate[];
}

const isDead = ({ fate }: Fate): boolean => fate === 'killed' || fate === 'timed out';

export const scoreOf = (fates: readonly Fate[]): number => fates.filter(isDead).length / fates.length;

export function writeReport(path: string, report: Report): void {
  writeFileSync(path, `${JSON.stringify({ score: scoreOf(report.fates), ...report }, null, 1)}\n`);
}

/** Prints a table of the folders and all survivors. */
export function printReport(fates: readonly Fate[]): void {
  const row = (name: string, of: readonly Fate[]) => {
    const count = (fate: Fate['fate']) => of.filter((one) => one.fate === fate).length;
    return {
      folder: name,
      mutants: of.length,
      dead: of.filter(isDead).length,
      'timed out': count('timed out'),
      survived: count('survived'),
      'not reached': count('not reached'),
      'score %': Number((scoreOf(of) * 100).toFixed(1)),
    };
  };
  const byFolder = Object.entries(Object.groupBy(fates, ({ file }) => dirname(file)));
  console.table([...byFolder.map(([name, of = []]) => row(name, of)), row('all', fates)]);
  const survivors = fates.filter((fate) => !isDead(fate));
  if (survivors.length > 0) console.log('\nSurvivors:');
  for (const survivor of survivors) console.log(describe(survivor));
}

/** Prints the survivors that were dead in an earlier report. */
export function compareWith(path: string, fates: readonly Fate[]): void {
  const before: Report = JSON.parse(readFileSync(path, 'utf8'));
  const earlier = new Map(before.fates.map((fate) => [fate.id, fate]));
  const common = fates.filter(({ id }) => earlier.has(id));
  const lost = common.filter((fate) => {
    const then = earlier.get(fate.id);
    return then && isDead(then) && !isDead(fate);
  });
  console.log(
    `\n${common.length} of the mutants are in ${path}, too. ${lost.length} were dead then and survive now:`,
  );
  for (const fate of lost) console.log(describe(fate));
}

const describe = ({ file, line, enclosing, before, after, fate, tests, reachedBy }: Fate): string => {
  const cut = (text: string) => (text.length > 160 ? `${text.slice(0, 157)}...` : text);
  const tried = fate === 'not reached' ? fate : `${tests} of ${reachedBy} test files`;
  return `${file}:${line} ${enclosing} (${tried})\n    ${cut(before)}\n -> ${after === '' ? '(removed)' : cut(after)}`;
};
