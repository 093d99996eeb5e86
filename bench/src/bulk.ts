import { setTimeout } from 'node:timers/promises';
import type { ImportRun } from '@classledger/contract';
import { hashPassword } from '../../server/src/access/passwords.ts';
import { formatLatencies, repeatRequest } from './bystander.ts';
import {
  adminCaller,
  type Call,
  createGrade,
  withProduct,
  withTemporaryFolder,
} from './processes/product.ts';
import { describeMachine } from './report.ts';

/** Times importing, updating and undoing a list of students, and other requests meanwhile. `npm run bench:bulk`. */

const students = 3_000;
const hashes = 100;

async function hashCost(atOnce: number): Promise<number> {
  let left = hashes;
  const worker = async () => {
    while (left-- > 0) await hashPassword('a password of usual length');
  };
  await hashPassword('the first one loads the library');
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: atOnce }, worker));
  return (performance.now() - startedAt) / hashes;
}

interface Entry {
  readonly username: string;
  readonly actualName: string;
  readonly classId: number;
}

class Import {
  readonly #call: Call;
  readonly #schoolDb: number;

  constructor(call: Call, schoolDb: number) {
    this.#call = call;
    this.#schoolDb = schoolDb;
  }

  /** Lets the server check the list. @returns how many students would stay unchanged */
  async check(batch: readonly Entry[]): Promise<number> {
    const body = { schoolDb: this.#schoolDb, batch };
    return (await this.#call<{ unchangedCount: number }>('POST', '/imports/check', body)).unchangedCount;
  }

  async run(batch: readonly Entry[]): Promise<number> {
    const body = { schoolDb: this.#schoolDb, source: 'list', batch };
    const { id } = await this.#call<{ id: number }>('POST', '/imports', body);
    const { state, doneCount, failedCount } = await this.#settled(id);
    if (state !== 'finished' || doneCount - failedCount !== students) throw new Error(`Import ${state}`);
    return id;
  }

  async undo(id: number): Promise<void> {
    await this.#call('POST', `/imports/${id}/undo?schoolDb=${this.#schoolDb}`);
    const { restoredCount } = await this.#settled(id);
    if (restoredCount !== students) throw new Error(`Only ${restoredCount} of ${students} were undone`);
  }

  async #settled(id: number): Promise<ImportRun> {
    for (;;) {
      const run = await this.#call<ImportRun>('GET', `/imports/${id}?schoolDb=${this.#schoolDb}`);
      if (run.state !== 'running' && run.state !== 'undoing') return run;
      await setTimeout(100);
    }
  }
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  console.log(`${what}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return result;
}

async function importAll(call: Call): Promise<void> {
  const { schoolDb, gradeId } = await createGrade(call);
  const { id: classId } = await call<{ id: number }>('POST', '/classes', {
    schoolDb,
    gradeId,
    name: 'Class',
  });
  const list = Array.from({ length: students }, (_, n) => ({
    ...{ username: `student${n}`, actualName: `Student ${n}`, classId },
  }));
  const renamed = list.map((entry) => ({ ...entry, actualName: `${entry.actualName} B` }));
  const all = new Import(call, schoolDb);
  await timed(`checking ${students} new students`, () => all.check(list));
  const first = await timed('importing them, a password for each', () => all.run(list));
  const same = await timed('checking the same list again', () => all.check(list));
  if (same !== students) throw new Error(`Only ${same} of ${students} have nothing to do`);
  await timed('checking a list that renames all', () => all.check(renamed));
  const second = await timed('importing it', () => all.run(renamed));
  await timed('undoing it', () => all.undo(second));
  await timed('undoing the first import', () => all.undo(first));
}

/** Returns a function that gives a point to a student of another school. */
async function pointOfOtherSchool(call: Call): Promise<() => Promise<unknown>> {
  const { schoolDb, gradeId } = await createGrade(call);
  const { id: classId } = await call<{ id: number }>('POST', '/classes', {
    schoolDb,
    gradeId,
    name: 'Class',
  });
  const student = { schoolDb, classId, username: 'bystander', generatePassword: true };
  const { id: userId } = await call<{ id: number }>('POST', '/users', student);
  const point = { schoolDb, userId, scoreChange: 1, description: 'Homework' };
  return () => call('POST', '/scores/add', point);
}

console.log(describeMachine());
const [alone, both] = [await hashCost(1), await hashCost(2)];
console.log(`one password hash: ${alone.toFixed(1)} ms; two at once: one every ${both.toFixed(1)} ms`);
await withTemporaryFolder('bulk', (folder) =>
  withProduct(folder, async ({ port }) => {
    const call = await adminCaller(port);
    const givePoint = await pointOfOtherSchool(call);
    const alone = repeatRequest(givePoint);
    await setTimeout(5_000);
    console.log(`points of another school: ${formatLatencies(await alone.stop())}`);
    const concurrent = repeatRequest(givePoint);
    await importAll(call);
    console.log(`the same beside all this: ${formatLatencies(await concurrent.stop())}`);
  }),
);
