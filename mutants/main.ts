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
    /** How many test files to try for each mutant. */
    tests: { type: 'string', default: '20' },
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

/** How often each test has killed a mutant, by the file and by the folder of the mutant. */
const kills = new Map<string, Map<string, number>>();

function countKill(file: string, test: string): void {
  for (const place of [file, dirname(file)]) {
    const killsThere = kills.get(place) ?? new Map<string, number>();
    kills.set(place, killsThere.set(test, (killsThere.get(test) ?? 0) + 1));
  }
}

if (values.against)
  for (const { file, by } of readReport(values.against).results) if (by) countKill(file, by.file);

/** Sorts the tests of a mutant: those with its name, those that killed near it, then by turns specific and broad ones. */
function testsOf({ id, file }: Mutant) {
  const stem = file.replace(/\.tsx?$/, '.');
  const killsIn = (place: string, test: string) => kills.get(place)?.get(test) ?? 0;
  const hasName = (test: string) => test.startsWith(stem) || basename(test).startsWith(basename(stem));
  // Browser tests are slow, so they try only mutants of pages.
  const [workspace] = file.split('/');
  const bySpecificity = [...reach]
    .filter(([test, { ids }]) => ids.has(id) && !failing.has(test))
    .filter(([test]) => workspace === 'web' || !test.startsWith('e2e/'))
    .map(([test, { ids, ms }]) => ({ test, ms, reaches: ids.size }))
    .sort((one, other) => one.reaches - other.reaches);
  return bySpecificity
    .map((_, index) => bySpecificity.at(index % 2 === 0 ? index / 2 : -(index + 1) / 2))
    .filter((each) => each !== undefined)
    .sort(
      ({ test: one }, { test: other }) =>
        Number(hasName(other)) - Number(hasName(one)) ||
        killsIn(file, other) - killsIn(file, one) ||
        killsIn(dirname(file), other) - killsIn(dirname(file), one),
    );
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
    const files = reaching
      .slice(0, Number(values.tests))
      .map(({ test, ms }) => ({ file: test, limitMs: limitOf(ms) }));
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
  writeReport(values.report, { seed: values.seed, seconds, failing: [...failing], results });
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
  `\nEach mutant had at most ${values.tests} test files. Try survivors with --ids and more --tests.`,
);
console.log(`The report is in ${values.report}`);
if (values.against) compareWith(values.against, results);
if (scoreOf(results) < scoreMin) process.exitCode = 1;
