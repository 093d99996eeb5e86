import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BaseSequencer,
  createVitest,
  type Reporter,
  type TestModule,
  type TestSpecification,
} from 'vitest/node';
import { repository } from './targets.ts';

// A process that keeps a Vitest with its PostgreSQL server, and runs test files for the process that has started it.
// `node run-tests.ts measure` runs all files that it is given, several at once; without it one stops at the first failure.

/** Test files to run, one after the other. */
export interface Task {
  /** The id of the active mutant; empty for none. */
  readonly mutant: string;
  readonly files: readonly { readonly file: string; readonly limitMs: number }[];
}

export type Outcome =
  | { readonly kind: 'passed' }
  /** A test, or what a file does outside of its tests. */
  | { readonly kind: 'failed'; readonly file: string; readonly test: string }
  | { readonly kind: 'timed out'; readonly file: string };

export interface Measured {
  readonly file: string;
  readonly ms: number;
  readonly passed: boolean;
  readonly reached: readonly string[];
}

export type Message =
  | { readonly kind: 'ready'; readonly files: readonly string[] }
  | ({ readonly kind: 'measured' } & Measured)
  | Outcome;

/** Keeps the order in which files are given. */
class AsGiven extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
}

const measures = process.argv[2] === 'measure';
const fileOf = (moduleId: string) => moduleId.slice(repository.length + 1);
const send = (message: Message) => process.send?.(message);

let onFileEnd = (_file: TestModule): void => {};
const reporter: Reporter = { onTestModuleEnd: (file) => onFileEnd(file) };

const vitest = await createVitest('test', {
  root: repository,
  config: join(import.meta.dirname, 'vitest.config.ts'),
  watch: false,
  reporters: [reporter],
  // The cache of the usual runs has no mutants.
  fsModuleCache: false,
  bail: measures ? 0 : 1,
  ...(!measures && { maxWorkers: 1 }),
  sequence: { setupFiles: 'list', ...(!measures && { sequencer: AsGiven }) },
});
await vitest.standalone();
const specifications = new Map(
  (await vitest.globTestSpecifications()).map((specification) => [
    fileOf(specification.moduleId),
    specification,
  ]),
);

async function run({ mutant, files }: Task): Promise<Outcome> {
  let outcome: Outcome = { kind: 'passed' };
  let waiting = files.map(({ file }) => file);
  let timer: NodeJS.Timeout | undefined;
  const giveUpLater = () => {
    clearTimeout(timer);
    const [next] = waiting;
    if (next === undefined || measures) return;
    const limitMs = files.find(({ file }) => file === next)?.limitMs;
    timer = setTimeout(() => {
      outcome = { kind: 'timed out', file: next };
      void kill();
    }, limitMs);
  };
  onFileEnd = (module) => {
    const file = fileOf(module.moduleId);
    waiting = waiting.filter((other) => other !== file);
    const passed = module.state() === 'passed' || module.state() === 'skipped';
    const { collectDuration, duration } = module.diagnostic();
    const reached = module.meta().reachedMutants ?? [];
    if (measures) send({ kind: 'measured', file, ms: collectDuration + duration, passed, reached });
    if (!passed && outcome.kind === 'passed') outcome = { kind: 'failed', file, test: failedTest(module) };
    giveUpLater();
  };
  vitest.provide('activeMutant', mutant);
  giveUpLater();
  const chosen = files.flatMap(({ file }) => specifications.get(file) ?? []);
  const { unhandledErrors } = await vitest.runTestSpecifications(chosen);
  clearTimeout(timer);
  if (unhandledErrors.length > 0 && outcome.kind === 'passed')
    return { kind: 'failed', file: waiting[0] ?? files.at(-1)?.file ?? '', test: String(unhandledErrors[0]) };
  return outcome;
}

const failedTest = (module: TestModule): string =>
  [...module.children.allTests('failed')][0]?.fullName ?? 'outside of its tests';

/** Lets the running test end in order, and kills its process where that takes too long. */
async function kill(): Promise<void> {
  void vitest.cancelCurrentRun('keyboard-input').catch(() => {});
  await sleep(3_000);
  await vitest.cancelCurrentRun('keyboard-input').catch(() => {});
}

process.on('message', async (task: Task) => send(await run(task)));
process.on('disconnect', async () => {
  await vitest.close();
  process.exit();
});
send({ kind: 'ready', files: [...specifications.keys()] });
