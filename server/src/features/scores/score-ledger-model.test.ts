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
  const { data } = await by.get('/students?limit=100');
  const shown = (data as { list: { id: number }[] }).list;
  const expected = [...model.students.values()]
    .sort((a, b) => a.id - b.id)
    .map(({ id, username, classId, disabled }) => {
      const { recordCount, ...totals } = sums([...model.records.values()].filter((r) => r.studentId === id));
      const gradeId = model.classes.get(classId);
      return { id, username, classId, gradeId, disabled, ...totals, scoreCount: recordCount };
    });
  expect(shown).toMatchObject(expected);
  expect((data as { total: number }).total).toBe(expected.length);
  for (const student of expected.slice(0, 2)) {
    const newest = model.newestFirst().filter((record) => record.studentId === student.id);
    const detail = (await by.get(`/students/${student.id}`)).data as { recentScores: { id: number }[] };
    expect(detail.recentScores.map(({ id }) => id)).toEqual(newest.slice(0, 10).map(({ id }) => id));
  }
}

/** Filters of lists are compared in list-scores.test.ts. */
async function expectLists(model: LedgerModel, by: CredentialClient): Promise<void> {
  const placeOf = ({ studentId }: ModelRecord) => model.students.get(studentId)?.classId as number;
  const places = [...model.classes].map(
    ([id]) => [`classId=${id}`, (place: number) => place === id] as const,
  );
  for (const [query, isInPlace] of [['', () => true] as const, ...places]) {
    const kept = model.newestFirst().filter((record) => isInPlace(placeOf(record)));
    const { data } = await by.get(`/scores?limit=100&${query}`);
    const { list, total } = data as { list: { id: number }[]; total: number };
    expect([query, total]).toEqual([query, kept.length]);
    expect([query, list.map(({ id }) => id)]).toEqual([query, kept.slice(0, 100).map(({ id }) => id)]);
  }
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

async function expectOverview(
  model: LedgerModel,
  by: CredentialClient,
  sees: (classId: number, gradeId: number) => boolean,
): Promise<void> {
  const classes = new Set([...model.classes].filter(([id, grade]) => sees(id, grade)).map(([id]) => id));
  const students = [...model.students.values()].filter((student) => classes.has(student.classId));
  const ids = new Set(students.map((student) => student.id));
  const all = [...model.records.values()].filter((record) => ids.has(record.studentId));
  const today = test.clock.now().toISOString().slice(0, 10);
  for (const since of ['', today]) {
    const records = all.filter((record) => record.createdAt >= since);
    const ranking = students
      .map(({ id }) => ({ id, ...sums(records.filter((record) => record.studentId === id)) }))
      .filter(({ recordCount }) => recordCount > 0)
      .sort((a, b) => b.totalScore - a.totalScore || a.id - b.id)
      .slice(0, 10)
      .map(({ id, totalScore, recordCount: scoreCount }, i) => ({ rank: i + 1, id, totalScore, scoreCount }));
    const { data } = await by.get(`/stats/overview${since === '' ? '' : `?startDate=${since}`}`);
    expect(data).toMatchObject({
      structure: {
        classCount: classes.size,
        studentCount: students.length,
        disabledStudentCount: students.filter((student) => student.disabled).length,
      },
      scores: {
        ...sums(records),
        todayRecordCount: all.filter((record) => record.createdAt.startsWith(today)).length,
      },
      topStudents: ranking,
    });
    expect((data as { topStudents: unknown[] }).topStudents).toHaveLength(ranking.length);
  }
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
      const [grade] = school.grades;
      const [place] = grade.classes;
      const office = await school.issue({});
      const ofGrade = await school.issue({ scopeType: 'grade', scopeGradeId: grade.id });
      const ofClass = await school.issue({ scopeType: 'class', scopeClassId: place.id });
      const model = new LedgerModel(school, office, () => test.signIn(), test.clock);
      for (const one of sequence) await model.run(one);
      steps += sequence.length;

      await expectStudents(model, office);
      await expectLists(model, office);
      await expectLogs(model, await test.signIn(), school.schoolDb);
      await expectOverview(model, office, () => true);
      await expectOverview(model, ofGrade, (_, gradeId) => gradeId === grade.id);
      await expectOverview(model, ofClass, (classId) => classId === place.id);
      await test.expectVerifiedLedger();
    }),
    { numRuns, endOnFailure: true },
  );
  expect(steps).toBeGreaterThan(numRuns * 20);
});
