import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import {
  BaseSequencer,
  createVitest,
  type Reporter,
  type TestModule,
  type TestSpecification,
} from 'vitest/node';
import { repository } from './targets.ts';

// One process keeps Vitest and PostgreSQL for all tasks.
// `measure` runs all files in parallel; `mutants` stops at the first failure.

export interface Task {
  /** The ids of the active mutants, with spaces between; empty for none. */
  readonly mutants: string;
  readonly files: readonly { readonly file: string; readonly limitMs: number }[];
}

export type Outcome =
  | { readonly kind: 'passed' }
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

class GivenOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
}

const measures = process.argv[2] === 'measure';
const fileOf = (moduleId: string) => moduleId.slice(repository.length + 1);
const send = (message: Message) => process.send?.(message);

let onFileStart = (_module: TestModule): void => {};
let onFileEnd = (_module: TestModule): void => {};
const reporter: Reporter = {
  onTestModuleQueued: (module) => onFileStart(module),
  onTestModuleEnd: (module) => onFileEnd(module),
};

const vitest = await createVitest('test', {
  root: repository,
  config: join(import.meta.dirname, 'vitest.config.ts'),
  watch: false,
  reporters: [reporter],
  // Switched off, because runs without mutants use the same cache.
  fsModuleCache: false,
  bail: measures ? 0 : 1,
  ...(!measures && { maxWorkers: 1 }),
  sequence: { setupFiles: 'list', ...(!measures && { sequencer: GivenOrder }) },
});
await vitest.standalone();
const specifications = new Map(
  (await vitest.globTestSpecifications()).map((specification) => [
    fileOf(specification.moduleId),
    specification,
  ]),
);

async function run({ mutants, files }: Task): Promise<Outcome> {
  let outcome: Outcome = { kind: 'passed' };
  let running = '';
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  onFileStart = (module) => {
    running = fileOf(module.moduleId);
    if (measures) return;
    const limitMs = files.find(({ file }) => file === running)?.limitMs;
    timer = setTimeout(() => {
      outcome = { kind: 'timed out', file: running };
      void kill(() => isOver);
    }, limitMs);
  };
  onFileEnd = (module) => {
    clearTimeout(timer);
    const file = fileOf(module.moduleId);
    const passed = module.state() === 'passed' || module.state() === 'skipped';
    const { collectDuration, duration } = module.diagnostic();
    const reached = module.meta().reachedMutants ?? [];
    if (measures) send({ kind: 'measured', file, ms: collectDuration + duration, passed, reached });
    if (!passed && outcome.kind === 'passed') outcome = { kind: 'failed', file, test: failedTest(module) };
  };
  vitest.provide('activeMutants', mutants);
  const chosen = files.flatMap(({ file }) => specifications.get(file) ?? []);
  const { unhandledErrors } = await vitest.runTestSpecifications(chosen);
  clearTimeout(timer);
  isOver = true;
  if (unhandledErrors.length > 0 && outcome.kind === 'passed')
    return { kind: 'failed', file: running, test: inspect(unhandledErrors[0]) };
  return outcome;
}

const failedTest = (module: TestModule): string =>
  [...module.children.allTests('failed')][0]?.fullName ?? 'outside of its tests';

/** Cancels the run, and kills its worker after three seconds. */
async function kill(isOver: () => boolean): Promise<void> {
  void vitest.cancelCurrentRun('keyboard-input').catch(() => {});
  await sleep(3_000);
  if (!isOver()) await vitest.cancelCurrentRun('keyboard-input').catch(() => {});
}

let isIdle = true;
process.on('message', async (task: Task) => {
  isIdle = false;
  const outcome = await run(task);
  isIdle = true;
  send(outcome);
});
process.on('disconnect', async () => {
  if (!isIdle) await kill(() => isIdle);
  await vitest.close();
  process.exit();
});
send({ kind: 'ready', files: [...specifications.keys()] });
