import { basename, dirname, join, matchesGlob } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseMutants } from './choose-mutants.ts';
import { equivalentMutants } from './equivalent-mutants.ts';
import type { Mutant } from './mutants.ts';
import { ensurePagesBuilt } from './pages.ts';
import { measureReach } from './reach.ts';
import { compareWith, type MutantResult, printReport, readReport, scoreOf, writeReport } from './report.ts';
import { Runner } from './runner.ts';
import { linesOf, mutantsOf, targetFiles, workFolder } from './targets.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '**' },
    /** Ids of a report, with commas between, instead of a sample. */
    ids: { type: 'string' },
    /** Seconds of its nearest tests for each mutant alone. */
    budget: { type: 'string', default: '25' },
    /** Measures again which tests reach which mutants. */
    reach: { type: 'boolean', default: false },
    report: { type: 'string', default: join(workFolder, 'mutants-report.json') },
    /** An earlier report, whose killers run first. Prints which of its dead mutants survive now. */
    against: { type: 'string' },
  },
});

const scoreMin = 0.9;
const jobs = 2;

const all = targetFiles.flatMap((file) => [...mutantsOf(file)]);
const sample = values.ids
  ? all.filter(({ id }) => values.ids?.includes(id))
  : chooseMutants({
      mutants: all.filter(({ file }) => matchesGlob(file, values.only)),
      linesOf,
      count: Number(values.count),
      seed: values.seed,
    });
const chosen = sample.filter(({ id }) => !(id in equivalentMutants));
ensurePagesBuilt();
const reach = await measureReach({ all, chosen, anew: values.reach });
const failing = new Set([...reach].filter(([, { passed }]) => !passed).map(([test]) => test));
const passing = new Set([...reach].filter(([, test]) => test.passed && test.isFresh).map(([test]) => test));

/** How often each test has killed a mutant, by the file of the mutant. */
const kills = new Map<string, Map<string, number>>();

function countKill(file: string, test: string): void {
  const killsOfFile = kills.get(file) ?? new Map<string, number>();
  kills.set(file, killsOfFile.set(test, (killsOfFile.get(test) ?? 0) + 1));
}

if (values.against)
  for (const { file, by } of readReport(values.against).results) if (by) countKill(file, by.file);

/** Sorts the tests of a mutant: those with its name, earlier killers, its folder, then those that reach few mutants. */
function testsOf({ id, file }: Mutant) {
  const stem = file.replace(/\.tsx?$/, '.');
  const killsOf = (test: string) => kills.get(file)?.get(test) ?? 0;
  const nearness = (test: string) => {
    if (test.startsWith(stem)) return 0;
    if (basename(test).startsWith(basename(stem))) return 1;
    return dirname(test) === dirname(file) ? 2 : 3;
  };
  return [...reach]
    .filter(([test, { ids }]) => ids.has(id) && !failing.has(test))
    .map(([test, { ids, ms }]) => ({
      test,
      ms,
      reaches: ids.size,
      near: nearness(test),
      kills: killsOf(test),
    }))
    .sort(
      (one, other) =>
        Number(one.near > 1) - Number(other.near > 1) ||
        other.kills - one.kills ||
        one.near - other.near ||
        one.reaches - other.reaches ||
        one.ms - other.ms,
    );
}

function withinBudget<T extends { readonly ms: number }>(tests: readonly T[]): readonly T[] {
  let leftMs = Number(values.budget) * 1_000;
  return tests.filter(({ ms }, index) => {
    if (index > 0 && ms > leftMs) return false;
    leftMs -= ms;
    return true;
  });
}

const limitOf = (ms: number) => 15_000 + 4 * ms;

/** Returns true when a test passes without the mutant. Only then its failure counts. */
async function passesWithout(runner: Runner, file: string, limitMs: number): Promise<boolean> {
  if (passing.has(file)) return true;
  const { kind } = await runner.run({ mutants: '', files: [{ file, limitMs }] });
  (kind === 'passed' ? passing : failing).add(file);
  return kind === 'passed';
}

async function testMutant(runner: Runner, mutant: Mutant): Promise<MutantResult> {
  for (;;) {
    const reaching = testsOf(mutant);
    const files = withinBudget(reaching).map(({ test, ms }) => ({ file: test, limitMs: limitOf(ms) }));
    const counts = { ...mutant, tests: files.length, reachedBy: reaching.length };
    if (files.length === 0) return { ...counts, status: 'not reached' };
    const outcome = await runner.run({ mutants: mutant.id, files });
    if (outcome.kind === 'passed') return { ...counts, status: 'survived' };
    const limitMs = files.find(({ file }) => file === outcome.file)?.limitMs ?? 0;
    if (await passesWithout(runner, outcome.file, limitMs)) {
      const { file, test = '' } = { test: '', ...outcome };
      countKill(mutant.file, file);
      return { ...counts, status: outcome.kind === 'failed' ? 'killed' : 'timed out', by: { file, test } };
    }
  }
}

const order = new Map(chosen.map(({ id }, index) => [id, index]));
function save(): void {
  results.sort((one, other) => (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0));
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  const budgetSeconds = Number(values.budget);
  const { seed } = values;
  writeReport(values.report, { seed, budgetSeconds, seconds, failing: [...failing], results });
}

// Ids are hashes, so this order is random: a run that ends early has tried a fair sample.
const waiting = chosen.toSorted((one, other) => (one.id < other.id ? -1 : 1));
const results: MutantResult[] = [];
const startedAt = Date.now();
console.log(`Trying ${chosen.length} mutants, without ${sample.length - chosen.length} equivalent ones ...`);
await Promise.all(
  Array.from({ length: jobs }, async () => {
    const runner = new Runner('mutants');
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const result = await testMutant(runner, mutant);
      results.push(result);
      save();
      if (result.status === 'survived' || results.length % 10 === 0)
        console.log(
          `  ${results.length} of ${chosen.length}, ${mutant.file}:${mutant.line} ${result.status}`,
        );
    }
    await runner.stop();
  }),
);
save();
printReport(results);
if (failing.size > 0) console.log(`\nNot used, as they fail without a mutant: ${[...failing].join(', ')}`);
console.log(
  `\nEach mutant had test files of at most ${values.budget} s. Try survivors with --ids and a larger --budget.`,
);
console.log(`The report is in ${values.report}`);
if (values.against) compareWith(values.against, results);
if (scoreOf(results) < scoreMin) process.exitCode = 1;
