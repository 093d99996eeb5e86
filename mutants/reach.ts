import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Mutant } from './mutants.ts';
import type { Measured } from './run-tests.ts';
import { Runner } from './runner.ts';
import { repository, workFolder } from './targets.ts';

interface MeasuredTest {
  readonly ms: number;
  readonly passed: boolean;
  /** The hash of the test's source. */
  readonly hash: string;
  /** Indexes into `Reach.ids`. */
  readonly reached: readonly number[];
}

export interface ReachingTest {
  readonly ms: number;
  readonly passed: boolean;
  /** True when measured in this run. */
  readonly isFresh: boolean;
  readonly ids: ReadonlySet<string>;
}

/** Stored for later runs, because measuring takes as long as `npm test`. */
interface Reach {
  readonly ids: string[];
  readonly files: Record<string, MeasuredTest>;
}

const file = join(workFolder, 'reach.json');
const reportEvery = 20;

const hashOf = (test: string) =>
  createHash('sha256')
    .update(readFileSync(join(repository, test)))
    .digest('hex')
    .slice(0, 20);

/** Measures which tests reach which mutants. It runs new, changed and failed tests, and those near new mutants. */
export async function measureReach(options: {
  readonly all: readonly Mutant[];
  readonly chosen: readonly Mutant[];
  readonly anew: boolean;
}): Promise<ReadonlyMap<string, ReachingTest>> {
  const { all, chosen, anew } = options;
  const reach: Reach =
    anew || !existsSync(file) ? { ids: [], files: {} } : JSON.parse(readFileSync(file, 'utf8'));
  const places = new Map(reach.ids.map((id, place) => [id, place]));
  const placeOf = (id: string): number => {
    const place = places.get(id) ?? reach.ids.push(id) - 1;
    places.set(id, place);
    return place;
  };
  const newSources = new Set(chosen.filter(({ id }) => !places.has(id)).map((mutant) => mutant.file));
  const siblings = [...newSources].map((source) => {
    const own = all.filter((mutant) => mutant.file === source);
    return new Set(own.flatMap(({ id }) => places.get(id) ?? []));
  });
  const save = () => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(reach));
  };
  let measured = 0;
  let waiting = 0;
  const runner = new Runner('measure', ({ file: test, ms, passed, reached }: Measured) => {
    reach.files[test] = { ms, passed, hash: hashOf(test), reached: reached.map(placeOf) };
    save();
    if (++measured % reportEvery === 0) console.log(`  ${measured} of ${waiting}`);
  });
  await runner.start();
  const tests = runner.files;
  const isOutdated = (test: string) => {
    const known = reach.files[test];
    if (!known?.passed || known.hash !== hashOf(test)) return true;
    return siblings.some((ids) => ids.size === 0 || known.reached.some((place) => ids.has(place)));
  };
  const outdated = tests.filter(isOutdated);
  if (outdated.length > 0) {
    waiting = outdated.length;
    console.log(`Measuring which mutants ${waiting} test files reach ...`);
    for (const { id } of all) placeOf(id);
    // Deletes old measurements, so that the next run repeats them if this run is interrupted.
    for (const test of outdated) delete reach.files[test];
    await runner.run({ mutants: '', files: outdated.map((test) => ({ file: test, limitMs: 0 })) });
    save();
  }
  await runner.stop();
  return new Map(
    tests.flatMap((test) => {
      const known = reach.files[test];
      if (!known) return [];
      const ids = new Set(known.reached.map((place) => reach.ids[place] ?? ''));
      return [[test, { ms: known.ms, passed: known.passed, isFresh: outdated.includes(test), ids }]];
    }),
  );
}
