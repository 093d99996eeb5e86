import { hashPassword } from '../../server/src/access/passwords.ts';
import { ask, summary } from './bystander.ts';
import { adminCaller, type Call, createGrade, inOwnFolder, withProduct } from './processes/product.ts';
import { machine } from './report.ts';

/** Times importing, updating and undoing a list of students, and other requests meanwhile. `npm run bench:bulk`. */

const students = 3_000;
const batchSize = 200;
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

  /** Lets the server check every batch. @returns how many students would stay unchanged */
  async check(entries: readonly Entry[]): Promise<number> {
    let unchanged = 0;
    for (const batch of partsOf(entries)) {
      const body = { schoolDb: this.#schoolDb, batch };
      unchanged += (await this.#call<{ unchangedCount: number }>('POST', '/imports/check', body))
        .unchangedCount;
    }
    return unchanged;
  }

  async run(entries: readonly Entry[]): Promise<number> {
    const schoolDb = this.#schoolDb;
    const { id } = await this.#call<{ id: number }>('POST', '/imports', { schoolDb, source: 'list' });
    for (const batch of partsOf(entries)) {
      const path = `/imports/${id}/students`;
      const { failedCount } = await this.#call<{ failedCount: number }>('PUT', path, { schoolDb, batch });
      if (failedCount > 0) throw new Error(`${failedCount} students were not imported`);
    }
    return id;
  }

  async undo(id: number): Promise<void> {
    const path = `/imports/${id}/undo?schoolDb=${this.#schoolDb}`;
    const { restoredCount } = await this.#call<{ restoredCount: number }>('POST', path);
    if (restoredCount !== students) throw new Error(`Only ${restoredCount} of ${students} were undone`);
  }
}

const partsOf = (entries: readonly Entry[]): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / batchSize) }, (_, i) =>
    entries.slice(i * batchSize, (i + 1) * batchSize),
  );

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
  await timed(`checking ${students} new students in parts of ${batchSize}`, () => all.check(list));
  const first = await timed('importing them, a password for each', () => all.run(list));
  const same = await timed('checking the same list again', () => all.check(list));
  if (same !== students) throw new Error(`Only ${same} of ${students} have nothing to do`);
  await timed('checking a list that renames all', () => all.check(renamed));
  const second = await timed('importing it', () => all.run(renamed));
  await timed('undoing it', () => all.undo(second));
  await timed('undoing the first import', () => all.undo(first));
}

console.log(machine());
const [alone, both] = [await hashCost(1), await hashCost(2)];
console.log(`one password hash: ${alone.toFixed(1)} ms; two at once: one every ${both.toFixed(1)} ms`);
await inOwnFolder('bulk', (folder) =>
  withProduct(folder, async ({ port }) => {
    const bystander = ask(await adminCaller(port), '/auth/me');
    await importAll(await adminCaller(port));
    console.log(summary(await bystander.stop()));
  }),
);
