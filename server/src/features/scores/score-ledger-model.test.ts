import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
const kind = <K extends ModelStep['do']>(name: K) => fc.constant(name);

const step: fc.Arbitrary<ModelStep> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: kind('write'), at, entry }) },
  { weight: 4, arbitrary: fc.record({ do: kind('batch'), at, entries, strangers: fc.nat(2) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: kind('together'),
      batches: fc.array(fc.record({ at, entries }), { minLength: 2, maxLength: 6 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: kind('revoke'), at, record: index }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: kind('undo'), records: fc.array(index, { minLength: 1, maxLength: 6 }) }),
  },
  { weight: 5, arbitrary: fc.record({ do: kind('move'), student: index, place: index }) },
  { weight: 3, arbitrary: fc.record({ do: kind('disable'), student: index, disabled: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: kind('rename'), student: index }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: kind('enrol'), place: index, count: fc.integer({ min: 1, max: 2 }) }),
  },
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

interface Filter {
  readonly query: string;
  readonly keep: (record: ModelRecord, classId: number, gradeId: number) => boolean;
}

/** Filters alone and combined, among them days with and without records and partial days. */
function filters(model: LedgerModel): Filter[] {
  const newest = model.newestFirst();
  const middle = newest[Math.floor(newest.length / 2)]?.createdAt ?? '2026-09-15T10:00:00.000Z';
  const day = middle.slice(0, 10);
  const found: Filter[] = [
    { query: '', keep: () => true },
    { query: 'type=add', keep: ({ change }) => change > 0 },
    { query: 'type=deduct', keep: ({ change }) => change < 0 },
    { query: `startDate=${day}`, keep: ({ createdAt }) => createdAt >= day },
    { query: `endDate=${day}`, keep: ({ createdAt }) => createdAt.slice(0, 10) <= day },
    { query: `startDate=${day}&endDate=${day}`, keep: ({ createdAt }) => createdAt.slice(0, 10) === day },
    { query: `startDate=${middle}`, keep: ({ createdAt }) => createdAt >= middle },
    { query: `endDate=${middle}&type=add`, keep: (r) => r.createdAt <= middle && r.change > 0 },
    {
      query: `startDate=${middle}&endDate=${middle}`,
      keep: ({ createdAt }) => createdAt === middle,
    },
  ];
  for (const classId of model.classes.keys()) {
    found.push({ query: `classId=${classId}`, keep: (_, place) => place === classId });
    found.push({
      query: `classId=${classId}&startDate=${day}&type=deduct`,
      keep: (record, place) => place === classId && record.createdAt >= day && record.change < 0,
    });
  }
  for (const gradeId of model.grades) {
    found.push({ query: `gradeId=${gradeId}`, keep: (_, __, grade) => grade === gradeId });
    found.push({
      query: `gradeId=${gradeId}&endDate=${middle}`,
      keep: (record, _, grade) => grade === gradeId && record.createdAt <= middle,
    });
  }
  const [student] = model.students.values();
  if (student) {
    found.push({ query: `userId=${student.id}`, keep: (record) => record.studentId === student.id });
    found.push({
      query: `username=${encodeURIComponent(student.username)}&type=add`,
      keep: (record) => record.studentId === student.id && record.change > 0,
    });
  }
  return found;
}

async function expectLists(model: LedgerModel, by: CredentialClient): Promise<void> {
  const newest = model.newestFirst();
  for (const { query, keep } of filters(model)) {
    const kept = newest.filter((record) => {
      const { classId } = model.students.get(record.studentId) as { classId: number };
      return keep(record, classId, model.classes.get(classId) as number);
    });
    const { data } = await by.get(`/scores?limit=100&${query}`);
    const { list, total } = data as { list: { id: number }[]; total: number };
    expect([query, total]).toEqual([query, kept.length]);
    expect([query, list.map(({ id }) => id)]).toEqual([query, kept.slice(0, 100).map(({ id }) => id)]);
  }
  for (const classId of model.classes.keys()) {
    const inClass = [...model.students.values()].filter((student) => student.classId === classId);
    const disabled = inClass.filter((student) => student.disabled);
    const total = async (query: string) =>
      ((await by.get(`/students?classId=${classId}${query}`)).data as { total: number }).total;
    expect([await total(''), await total('&disabled=true')]).toEqual([inClass.length, disabled.length]);
  }
}

async function expectLogs(model: LedgerModel, by: AdminClient, schoolDb: string): Promise<void> {
  const [student] = model.students.values();
  const name = student?.username ?? 'nobody';
  const named = encodeURIComponent(name);
  const ofStudent = ({ studentId }: ModelRecord) => model.students.get(studentId)?.username.includes(name);
  for (const [query, records] of [
    ['', model.newestFirst()],
    [`search=${named}`, model.newestFirst().filter(ofStudent)],
    [
      `search=${named}&type=minus`,
      model.newestFirst().filter((record) => ofStudent(record) && record.change < 0),
    ],
    ['state=revoked', model.revokedNewestFirst()],
    [`state=revoked&search=${named}`, model.revokedNewestFirst().filter(ofStudent)],
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
      .map(({ id, totalScore, recordCount }, i) => ({
        rank: i + 1,
        id,
        totalScore,
        scoreCount: recordCount,
      }));
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
const numRuns = Number(process.env.LEDGER_RUNS ?? 4);

describe('Ledger compared with a model without stored sums', () => {
  it('gives the same lists, totals and overviews, and passes its verification', async () => {
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
        await test.expectProven();
      }),
      { numRuns, endOnFailure: true },
    );
    expect(steps).toBeGreaterThan(numRuns * 20);
  });
});
