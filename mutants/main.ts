import { dirname, join, matchesGlob } from 'node:path';
import { parseArgs } from 'node:util';
import { choose } from './choose.ts';
import type { Mutant } from './mutants.ts';
import { ensurePagesBuilt } from './pages.ts';
import { measureReach } from './reach.ts';
import { compareWith, type Fate, printReport, scoreOf, writeReport } from './report.ts';
import { Runner } from './runner.ts';
import { linesOf, mutantsOf, targetFiles, workFolder } from './targets.ts';

const { values } = parseArgs({
  options: {
    /** How many mutants. */
    count: { type: 'string', default: '300' },
    /** Another one chooses other mutants. */
    seed: { type: 'string', default: '1' },
    /** Files that get mutants. */
    only: { type: 'string', default: '**' },
    /** Test files that may find them. */
    tests: { type: 'string', default: '**' },
    /** Runs every test file that reaches a mutant, however long they take. */
    thorough: { type: 'boolean', default: false },
    /** Seconds of tests for each mutant. */
    budget: { type: 'string', default: '60' },
    /** Measures anew which test files reach which mutants. */
    reach: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '2' },
    report: { type: 'string', default: join(workFolder, 'mutants-report.json') },
    /** The report of a run before: mutants that survive now and did not then are named. */
    against: { type: 'string' },
  },
});

const scoreMin = 0.9;

const all = targetFiles.flatMap((file) => [...mutantsOf(file)]);
const chosen = choose({
  mutants: all.filter(({ file }) => matchesGlob(file, values.only)),
  linesOf,
  count: Number(values.count),
  seed: values.seed,
});
ensurePagesBuilt();
const reach = await measureReach({
  all,
  chosen,
  anew: values.reach,
  isWanted: (test) => matchesGlob(test, values.tests),
});
/** Test files that fail without a mutant. */
const failing = new Set([...reach].filter(([, { passed }]) => !passed).map(([test]) => test));
/** Test files that pass without a mutant in the present sources. */
const passing = new Set([...reach].filter(([, test]) => test.passed && test.isFresh).map(([test]) => test));

/** Orders the test files that reach a mutant: those next to it, then those that reach least, then the shortest. */
function testsOf({ id, file }: Mutant) {
  const stem = file.replace(/\.tsx?$/, '.');
  const nearness = (test: string) => (test.startsWith(stem) ? 0 : dirname(test) === dirname(file) ? 1 : 2);
  return [...reach]
    .filter(([test, { ids }]) => ids.has(id) && !failing.has(test))
    .map(([test, { ids, ms }]) => ({ test, ms, reaches: ids.size, near: nearness(test) }))
    .sort((one, other) => one.near - other.near || one.reaches - other.reaches || one.ms - other.ms);
}

/** Takes those that fit into the budget, and the first one in any case. */
function withinBudget<T extends { readonly ms: number }>(tests: readonly T[]): readonly T[] {
  if (values.thorough) return tests;
  let leftMs = Number(values.budget) * 1_000;
  return tests.filter(({ ms }, index) => {
    if (index > 0 && ms > leftMs) return false;
    leftMs -= ms;
    return true;
  });
}

/** Says whether a test file passes without a mutant, so that a failure is the mutant's. */
async function passesWithout(runner: Runner, file: string, limitMs: number): Promise<boolean> {
  if (passing.has(file)) return true;
  const { kind } = await runner.run({ mutant: '', files: [{ file, limitMs }] });
  (kind === 'passed' ? passing : failing).add(file);
  return kind === 'passed';
}

async function fateOf(runner: Runner, mutant: Mutant): Promise<Fate> {
  for (;;) {
    const reaching = testsOf(mutant);
    const files = withinBudget(reaching).map(({ test, ms }) => ({ file: test, limitMs: 30_000 + 5 * ms }));
    const told = { ...mutant, tests: files.length, reachedBy: reaching.length };
    if (files.length === 0) return { ...told, fate: 'not reached' };
    const outcome = await runner.run({ mutant: mutant.id, files });
    if (outcome.kind === 'passed') return { ...told, fate: 'survived' };
    const limitMs = files.find(({ file }) => file === outcome.file)?.limitMs ?? 0;
    if (await passesWithout(runner, outcome.file, limitMs)) {
      const { file, test = '' } = { test: '', ...outcome };
      return { ...told, fate: outcome.kind === 'failed' ? 'killed' : 'timed out', by: { file, test } };
    }
  }
}

const waiting = [...chosen];
const fates: Fate[] = [];
const startedAt = Date.now();
console.log(`Trying ${chosen.length} mutants ...`);
await Promise.all(
  Array.from({ length: Number(values.jobs) }, async () => {
    const runner = new Runner('mutants');
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const fate = await fateOf(runner, mutant);
      fates.push(fate);
      if (fate.fate === 'survived' || fates.length % 10 === 0)
        console.log(`  ${fates.length} of ${chosen.length}, ${mutant.file}:${mutant.line} ${fate.fate}`);
    }
    await runner.stop();
  }),
);
const seconds = Math.round((Date.now() - startedAt) / 1_000);
const order = new Map(chosen.map(({ id }, index) => [id, index]));
fates.sort((one, other) => (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0));

const budgetSeconds = values.thorough ? null : Number(values.budget);
writeReport(values.report, { seed: values.seed, budgetSeconds, seconds, failing: [...failing], fates });
printReport(fates);
if (failing.size > 0) console.log(`\nNot used, as they fail without a mutant: ${[...failing].join(', ')}`);
console.log(
  budgetSeconds === null
    ? '\nEach mutant had all tests that reach it.'
    : `\nEach mutant had tests of ${budgetSeconds} s; more may find survivors: --thorough.`,
);
console.log(`${seconds} s; the report is in ${values.report}`);
if (values.against) compareWith(values.against, fates);
if (scoreOf(fates) < scoreMin) process.exitCode = 1;
