import { beforeAll, expect, it } from 'vitest';
import { waitForCompleteFeed } from '../../server/test/eventually.ts';
import { openSchool, type SampleSchool, type TestApp } from '../../server/test/test-app.ts';
import { Classledger, type MirrorBatch, type MirrorStore } from '../src/index.ts';

let test: TestApp;
let school: SampleSchool;
let client: Classledger;
let connection: { readonly url: string; readonly token: string };
let students: number[];

beforeAll(async () => {
  const opened = await openSchool();
  test = opened.test;
  school = opened.school;
  connection = { url: await test.listen(), token: opened.office.token };
  client = new Classledger(connection);
  const classId = school.grades[0].classes[0].id;
  const batch = Array.from({ length: 230 }, (_, n) => ({ username: `m${n}`, externalId: `m${n}` }));
  const { details } = await client.createManyStudents({ batch, classId, defaultPassword: 'sesame-open' });
  students = details.map(({ id }) => id as number);
  await client.writeManyScores({ items: students.map((userId) => ({ userId })), scoreChange: 1 });
});

class Copy implements MirrorStore {
  place: string | null = null;
  things: Record<string, unknown> = {};

  load(): string | null {
    return this.place;
  }

  apply({ begins, changes, place }: MirrorBatch): void {
    if (begins) this.things = {};
    for (const { type, id, record } of changes) {
      if (record) this.things[`${type} ${id}`] = record;
      else delete this.things[`${type} ${id}`];
    }
    this.place = place;
  }
}

async function listed(): Promise<Record<string, unknown>> {
  const things: Record<string, unknown> = {};
  for await (const one of client.allStudents()) {
    const { className, gradeId, gradeName, totalScore, addScore, deductScore, scoreCount, ...own } = one;
    things[`student ${one.id}`] = own;
  }
  for await (const one of client.allScores()) {
    const { username, actualName, classId, className, gradeId, gradeName, ...own } = one;
    things[`score ${one.id}`] = own;
  }
  for await (const one of client.allClasses()) {
    const { gradeName, ...own } = one;
    things[`class ${one.id}`] = own;
  }
  for await (const one of client.allGrades()) things[`grade ${one.id}`] = one;
  for await (const one of client.allTemplates()) things[`template ${one.id}`] = one;
  return things;
}

let round = 0;
async function change(): Promise<void> {
  round += 1;
  const [grade, otherGrade] = school.grades;
  const [first, second] = grade.classes;
  const [gone, moved, renamed, rewarded] = students.splice(0, 4) as [number, number, number, number];
  await client.deleteStudent(gone, { confirm: true });
  await client.updateStudent(moved, { classId: second.id });
  await client.updateStudent(renamed, { actualName: `Renamed in round ${round}` });
  const { details } = await client.writeScores({
    items: [{ userId: rewarded }, { userId: renamed }],
    scoreChange: 2,
  });
  await client.revokeScore(details[0]?.logId as number);
  const added = await client.createStudents({ username: `added${round}`, classId: first.id });
  students.push(added.id, moved, renamed, rewarded);
  const { id: template } = await client.createTemplate({ name: `Template ${round}`, scoreChange: 1 });
  if (round % 2 === 0) await client.deleteTemplate(template);
  const { id: made } = await client.createClass({ gradeId: grade.id, name: `Class ${round}` });
  if (round % 2 === 1) await client.deleteClass(made, { confirm: true });
  else await client.updateClass(made, { gradeId: otherGrade.id });
  await client.renameGrade(otherGrade.id, { name: `Grade of round ${round}` });
}

async function expectExact(copy: Copy): Promise<void> {
  await waitForCompleteFeed(test);
  await client.mirror(copy);
  expect(copy.things).toEqual(await listed());
}

it('the mirror deletes the records of a closed term, and says why', async () => {
  const copy = new Copy();
  await client.mirror(copy);
  const { id: classId, students: pupils } = await school.newClass(school.grades[0].id);
  const { details } = await client.writeScores({ userId: pupils[0]?.id as number, scoreChange: 1 });
  await expectExact(copy);
  const term = { schoolDb: school.schoolDb, classId, action: 'archive' };
  await (await test.signIn()).created('/admin/term-switch', term);
  await waitForCompleteFeed(test);
  const told: MirrorBatch['changes'][number][] = [];
  await client.mirror({ load: () => copy.load(), apply: ({ changes }) => void told.push(...changes) });
  const id = details[0]?.logId;
  expect(told).toEqual([{ type: 'score', id, record: null, because: 'termClosed' }]);
  await expectExact(copy);
});

it('a store that fails before or after each batch misses nothing, and does not start again', async () => {
  const copy = new Copy();
  let batches = 0;
  const count = () => {
    batches += 1;
  };
  await client.mirror({ load: () => null, apply: count });
  const begun: number[] = [];
  for (let run = 0; run < 2 * batches; run++) {
    const isStored = run % 2 === 1;
    const fails = (batch: MirrorBatch) => {
      if (isStored) copy.apply(batch);
      if (isStored && batch.begins) begun.push(run);
      throw new Error('killed');
    };
    await expect(client.mirror({ load: () => copy.load(), apply: fails })).rejects.toThrow('killed');
    if (run === batches) await change();
  }
  expect(begun).toEqual([1]);
  await expectExact(copy);
});

it('the mirror contains changes made while the lists are read, and reports when it is complete', async () => {
  const copy = new Copy();
  const complete: boolean[] = [];
  const store: MirrorStore = {
    load: () => copy.load(),
    apply: async (batch) => {
      copy.apply(batch);
      complete.push(batch.isComplete);
      if (batch.changes.length === 100) {
        await change();
        await waitForCompleteFeed(test);
      }
    },
  };
  await client.mirror(store);
  expect(copy.things).toEqual(await listed());
  expect([...new Set(complete.slice(0, -1))]).toEqual([false]);
  expect(complete.at(-1)).toBe(true);
});

it('mirrors by default the types that the credential may list, and starts again when called with other types', async () => {
  const copy = new Copy();
  const { token } = await school.issue({ scopes: ['structure:read'] });
  const narrow = new Classledger({ ...connection, token });
  await waitForCompleteFeed(test);
  await narrow.mirror(copy);
  const kinds = () => [...new Set(Object.keys(copy.things).map((name) => name.split(' ')[0]))].sort();
  expect(kinds()).toEqual(['class', 'grade']);
  await client.mirror(copy, { types: ['grade', 'template'] });
  expect(kinds()).toEqual(['grade', 'template']);
});

it.each(['', 'garbage', '{}'])(
  'throws a TypeError for the stored position %j instead of starting with an empty store',
  async (place) => {
    const applied: MirrorBatch[] = [];
    const store = { load: () => place, apply: (batch: MirrorBatch) => void applied.push(batch) };
    await expect(client.mirror(store)).rejects.toThrow(TypeError);
    expect(applied).toEqual([]);
  },
);

it('polls every pollMs until its signal aborts', async () => {
  const copy = new Copy();
  const ending = new AbortController();
  let completed = 0;
  const waits: number[] = [];
  const clock = {
    now: () => 0,
    random: () => 0,
    sleep: async (milliseconds: number, signal: AbortSignal | undefined) => {
      if (milliseconds === 4_321) waits.push(milliseconds);
      else await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    },
  };
  const apply = (batch: MirrorBatch) => {
    copy.apply(batch);
    if (batch.isComplete && ++completed === 3) ending.abort(new Error('enough'));
  };
  const store = { load: () => copy.load(), apply };
  const options = { pollMs: 4_321, signal: ending.signal };
  const polling = new Classledger({ ...connection, clock }).mirror(store, options);
  await expect(polling).rejects.toThrow('enough');
  expect(waits.slice(0, 2)).toEqual([4_321, 4_321]);
});

it('a mirror whose cursor is too old reads the lists again and removes entries that were deleted meanwhile', async () => {
  const copy = new Copy();
  await expectExact(copy);
  await change();
  test.clock.advance(31 * 86_400_000);
  const begun: boolean[] = [];
  const store = {
    load: () => copy.load(),
    apply: (batch: MirrorBatch) => {
      begun.push(batch.begins);
      copy.apply(batch);
    },
  };
  await waitForCompleteFeed(test);
  await client.mirror(store);
  expect(begun.indexOf(true)).toBe(0);
  expect(copy.things).toEqual(await listed());
});
