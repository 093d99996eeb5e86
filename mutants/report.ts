import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Mutant } from './mutants.ts';

export interface MutantResult extends Mutant {
  readonly status: 'killed' | 'timed out' | 'survived' | 'not reached';
  readonly by?: { readonly file: string; readonly test: string };
  /** Number of test files tried. */
  readonly tests: number;
  /** Number of test files that reach the mutant. */
  readonly reachedBy: number;
}

export interface Report {
  readonly seed: string;
  readonly seconds: number;
  /** Test files that fail without a mutant. */
  readonly failing: readonly string[];
  readonly results: readonly MutantResult[];
}

const isDead = ({ status }: MutantResult): boolean => status === 'killed' || status === 'timed out';

export const scoreOf = (results: readonly MutantResult[]): number =>
  results.filter(isDead).length / results.length;

export function writeReport(path: string, report: Report): void {
  writeFileSync(path, `${JSON.stringify({ score: scoreOf(report.results), ...report }, null, 1)}\n`);
}

export const readReport = (path: string): Report => JSON.parse(readFileSync(path, 'utf8'));

/** Prints a table of the folders and all survivors. */
export function printReport(results: readonly MutantResult[]): void {
  const row = (name: string, of: readonly MutantResult[]) => {
    const count = (status: MutantResult['status']) => of.filter((one) => one.status === status).length;
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
  const byFolder = Object.entries(Object.groupBy(results, ({ file }) => dirname(file)));
  console.table([...byFolder.map(([name, of = []]) => row(name, of)), row('all', results)]);
  const survivors = results.filter((result) => !isDead(result));
  if (survivors.length > 0) console.log('\nSurvivors:');
  for (const survivor of survivors) console.log(describe(survivor));
}

/** Prints the survivors that were dead in an earlier report. */
export function compareWith(path: string, results: readonly MutantResult[]): void {
  const earlier = new Map(readReport(path).results.map((result) => [result.id, result]));
  const common = results.filter(({ id }) => earlier.has(id));
  const lost = common.filter((result) => {
    const then = earlier.get(result.id);
    return then && isDead(then) && !isDead(result);
  });
  console.log(
    `\n${common.length} of the mutants are in ${path}, too. ${lost.length} were dead then and survive now:`,
  );
  for (const result of lost) console.log(describe(result));
}

const describe = ({
  file,
  line,
  enclosing,
  before,
  after,
  status,
  tests,
  reachedBy,
}: MutantResult): string => {
  const cut = (text: string) => (text.length > 160 ? `${text.slice(0, 157)}...` : text);
  const tried = status === 'not reached' ? status : `${tests} of ${reachedBy} test files`;
  return `${file}:${line} ${enclosing} (${tried})\n    ${cut(before)}\n -> ${after === '' ? '(removed)' : cut(after)}`;
};
