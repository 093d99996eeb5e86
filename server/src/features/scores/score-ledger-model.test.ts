import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AdminClient, CredentialClient } from '../../../test/identities.ts';
import { LedgerModel, type ModelRecord, type ModelStep } from '../../../test/ledger-model.ts';
import { createSampleSchool, startTestApp } from '../../../test/test-app.ts';

const test = await startTestApp();

const index = fc.nat(1_000);
const entry = fc.record({
  student: index,
  change: fc.oneof(fc.integer({ min: -10, max: 10 }), fc.integer({ min: -10_000, max: 10_000 })),
  by: fc.constantFrom('id' as const, 'username' as const, 'both' as const),
});
const entries = fc.array(entry, { minLength: 1, maxLength: 6 });
const at = fc.constantFrom('external' as const, 'internal' as const);
const batches = fc.array(fc.record({ at, entries }), { minLength: 2, maxLength: 6 });
const records = fc.array(index, { minLength: 1, maxLength: 6 });
const count = fc.integer({ min: 1, max: 2 });
const kind = <K extends ModelStep['do']>(name: K) => fc.constant(name);

const step: fc.Arbitrary<ModelStep> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: kind('write'), at, entry }) },
  { weight: 4, arbitrary: fc.record({ do: kind('batch'), at, entries, strangers: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ do: kind('together'), batches }) },
  { weight: 6, arbitrary: fc.record({ do: kind('revoke'), at, record: index }) },
  { weight: 2, arbitrary: fc.record({ do: kind('undo'), records }) },
  { weight: 5, arbitrary: fc.record({ do: kind('move'), student: index, place: index }) },
  { weight: 3, arbitrary: fc.record({ do: kind('disable'), student: index, disabled: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: kind('rename'), student: index }) },
  { weight: 1, arbitrary: fc.record({ do: kind('enrol'), place: index, count }) },
  { weight: 1, arbitrary: fc.record({ do: kind('expel'), student: index }) },
  { weight: 1, arbitrary: fc.record({ do: kind('open class'), grade: index }) },
  { weight: 1, arbitrary: fc.record({ do: kind('close class'), place: index }) },
  { weight: 2, arbitrary: fc.record({ do: kind('move class'), place: index, grade: index }) },
  { weight: 1, arbitrary: fc.record({ do: kind('close grade'), grade: index }) },
  { weight: 4, arbitrary: fc.record({ do: kind('pass time'), hours: fc.integer({ min: 1, max: 30 }) }) },
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
  let steps = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), async (sequence) => {
      test.clock.set('2026-09-15T10:00:00.000Z');
      const school = await createSampleSchool(await test.signIn(), `School ${++runs}`);
      const office = await school.issue({});
      const model = new LedgerModel(school, office, () => test.signIn(), test.clock);
      for (const one of sequence) await model.run(one);
      steps += sequence.length;

      await expectStudents(model, office);
      await expectList(model, office);
      await expectLogs(model, await test.signIn(), school.schoolDb);
      await expectOverview(model, office);
      await test.expectVerifiedLedger();
    }),
    { numRuns, endOnFailure: true },
  );
  expect(steps).toBeGreaterThan(numRuns * 20);
});
