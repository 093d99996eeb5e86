import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plannedPromotion } from '../../../test/administrators.ts';
import type { AdminClient, CredentialClient } from '../../../test/identities.ts';
import { LedgerModel, type ModelRecord } from '../../../test/ledger-model.ts';
import { createSampleSchool, startTestApp } from '../../../test/test-app.ts';

const test = await startTestApp();

const index = fc.nat(1_000);
const entry = fc.record({
  student: index,
  change: fc.oneof(fc.integer({ min: -10, max: 10 }), fc.integer({ min: -10_000, max: 10_000 })),
  category: fc.option(fc.nat(2)),
  by: fc.constantFrom('id' as const, 'username' as const, 'both' as const),
});
const entries = fc.array(entry, { minLength: 1, maxLength: 6 });
const at = fc.constantFrom('external' as const, 'internal' as const);
const batches = fc.array(fc.record({ at, entries }), { minLength: 2, maxLength: 6 });
type Step = (model: LedgerModel) => Promise<void>;

/** Returns a step that calls the model with random values. A failure prints the call and the values. */
const step = <T extends unknown[]>(
  weight: number,
  values: { [I in keyof T]: fc.Arbitrary<T[I]> },
  run: (model: LedgerModel, ...values: T) => Promise<void>,
) => ({
  weight,
  arbitrary: fc.tuple<T>(...values).map((given) => {
    const call: Step = (model) => run(model, ...given);
    return Object.assign(call, { [fc.toStringMethod]: () => `${run} ${fc.stringify(given)}` });
  }),
});

const steps = fc.oneof(
  step(8, [at, fc.tuple(entry)], (model, ...values) => model.write(...values)),
  step(4, [at, entries, fc.nat(2)], (model, ...values) => model.write(...values)),
  step(3, [batches], (model, all) => model.writeTogether(all)),
  step(6, [at, index], (model, ...values) => model.revoke(...values)),
  step(2, [fc.array(index, { minLength: 1, maxLength: 6 })], (model, records) => model.undo(records)),
  step(5, [index, index], (model, student, place) => model.move(student, place)),
  step(3, [index, fc.boolean()], (model, student, disabled) => model.disable(student, disabled)),
  step(1, [index], (model, student) => model.rename(student)),
  step(1, [index, fc.integer({ min: 1, max: 2 })], (model, place, count) => model.enrol(place, count)),
  step(1, [index], (model, student) => model.expel(student)),
  step(1, [index], (model, student) => model.erase(student)),
  step(1, [index], (model, place) => model.endTerm(place)),
  step(1, [index], (model, grade) => model.openClass(grade)),
  step(1, [index], (model, place) => model.closeClass(place)),
  step(2, [index, index], (model, place, grade) => model.moveClass(place, grade)),
  step(1, [index], (model, grade) => model.closeGrade(grade)),
  step(4, [fc.integer({ min: 1, max: 30 })], (model, hours) => model.passTime(hours)),
);

function sums(records: readonly ModelRecord[]) {
  let [addScore, deductScore] = [0, 0];
  for (const { change } of records) {
    if (change > 0) addScore += change;
    else deductScore += change;
  }
  return { totalScore: addScore + deductScore, addScore, deductScore, recordCount: records.length };
}

async function expectStudents(model: LedgerModel, by: CredentialClient): Promise<void> {
  const { list, total } = await by.read<{ list: object[]; total: number }>('/students?limit=100');
  const expected = [...model.students.values()]
    .sort((a, b) => a.id - b.id)
    .map(({ id, username, classId, disabled }) => {
      const { recordCount, ...totals } = sums([...model.records.values()].filter((r) => r.studentId === id));
      const gradeId = model.classes.get(classId);
      return { id, username, classId, gradeId, disabled, ...totals, scoreCount: recordCount };
    });
  expect(list).toMatchObject(expected);
  expect(total).toBe(expected.length);
  for (const student of expected.slice(0, 2)) {
    const newest = model.newestFirst().filter((record) => record.studentId === student.id);
    const { recentScores } = await by.read<{ recentScores: { id: number }[] }>(`/students/${student.id}`);
    expect(recentScores.map(({ id }) => id)).toEqual(newest.slice(0, 10).map(({ id }) => id));
  }
}

/** Filters of lists are compared in list-scores.test.ts. */
/** Expects the sums by category of all records, with those without a category. */
async function expectCategories(model: LedgerModel, by: CredentialClient, categories: readonly number[]) {
  const sumsOf = (records: readonly ModelRecord[]) =>
    [...categories, null].map((categoryId) => {
      const { recordCount: scoreCount, ...totals } = sums(records.filter((r) => r.categoryId === categoryId));
      return { categoryId, ...totals, scoreCount };
    });
  const all = model.newestFirst();
  expect(await by.read('/stats/overview')).toMatchObject({ byCategory: sumsOf(all) });
  for (const { id } of [...model.students.values()].slice(0, 3)) {
    const own = all.filter(({ studentId }) => studentId === id);
    expect(await by.read(`/students/${id}`)).toMatchObject({ byCategory: sumsOf(own) });
  }
}

async function expectList(model: LedgerModel, by: CredentialClient): Promise<void> {
  const ids = model.newestFirst().map(({ id }) => id);
  const { list, total } = await by.read<{ list: { id: number }[]; total: number }>('/scores?limit=100');
  expect([total, list.map(({ id }) => id)]).toEqual([ids.length, ids.slice(0, 100)]);
}

async function expectLogs(model: LedgerModel, by: AdminClient, schoolDb: string): Promise<void> {
  for (const [query, records] of [
    ['', model.newestFirst()],
    ['state=revoked', model.revokedNewestFirst()],
  ] as const) {
    const answer = await by.get(`/scores/logs?schoolDb=${schoolDb}&limit=500&${query}`);
    expect([query, answer.headers['x-total-count']]).toEqual([query, String(records.length)]);
    expect([query, (answer.data as { id: number }[]).map(({ id }) => id)]).toEqual([
      query,
      records.slice(0, 500).map(({ id }) => id),
    ]);
  }
}

async function expectOverview(model: LedgerModel, by: CredentialClient): Promise<void> {
  const students = [...model.students.values()];
  const all = model.newestFirst();
  const today = test.clock.now().toISOString().slice(0, 10);
  // list-scores.test.ts compares dates, ranges and leaders.
  expect(await by.read('/stats/overview')).toMatchObject({
    structure: {
      classCount: model.classes.size,
      studentCount: students.length,
      disabledStudentCount: students.filter((student) => student.disabled).length,
    },
    scores: {
      ...sums(all),
      todayRecordCount: all.filter((record) => record.createdAt.startsWith(today)).length,
    },
  });
}

/** Each run has other random steps. `LEDGER_RUNS=200 npx vitest run score-ledger-model` takes more runs. */
const numRuns = Number(process.env.LEDGER_RUNS ?? 3);

it('for any calls, the ledger gives the same lists, totals and overviews as a model without stored sums, and passes its verification', async () => {
  let runs = 0;
  let stepCount = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 20, maxLength: 60, size: 'max' }), async (sequence) => {
      test.clock.set('2026-09-15T10:00:00.000Z');
      const school = await createSampleSchool(await test.signIn(), `School ${++runs}`);
      const office = await school.issue({});
      const categories: number[] = [];
      for (const code of ['a', 'b', 'c']) {
        const body = { code, name: code, colour: 1 };
        categories.push((await office.created<{ id: number }>('/categories', body)).id);
      }
      const model = new LedgerModel({
        school,
        categories,
        by: office,
        signIn: () => test.signIn(),
        clock: test.clock,
      });
      for (const call of sequence) await call(model);
      stepCount += sequence.length;

      await expectStudents(model, office);
      await expectList(model, office);
      await expectLogs(model, await test.signIn(), school.schoolDb);
      await expectOverview(model, office);
      await expectCategories(model, office, categories);
      await test.expectVerifiedLedger();
      const head = await test.signIn();
      const plan = await plannedPromotion(head, school.schoolDb);
      const status = model.classes.size > 0 ? 200 : 409;
      expect(await head.post('/admin/promotions', plan)).toMatchObject({ status });
      await test.expectVerifiedLedger();
    }),
    { numRuns, endOnFailure: true },
  );
  expect(stepCount).toBeGreaterThan(numRuns * 20);
});
