import type {
  Activity,
  Administrator,
  BulkStudents,
  ClassSummary,
  Promotion,
  PromotionPreview,
} from '@classledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAdmin, plannedPromotion } from '../../../test/administrators.ts';
import { testSeed } from '../../../test/random.ts';
import { rosterApi } from '../../../test/roster-api.ts';
import { createSampleSchool, startTestApp } from '../../../test/test-app.ts';

const test = await startTestApp();
const chief = await createAdmin(test, { username: 'chief', role: 'super_admin', schoolId: null });

async function readState(schoolId: number) {
  const read = async (columns: string, table: string) => {
    return test.rows(`SELECT id, ${columns} FROM ${table} WHERE school_id = $1 ORDER BY id`, schoolId);
  };
  const ofClass = 'grade_id, name, archived, student_count, disabled_student_count, add_score';
  return {
    students: await read('class_id, disabled, disabled_at, total_score', 'student'),
    classes: await read(ofClass, 'class'),
    grades: await read('name, archived_at', 'grade'),
    people: await read('grade_id, class_id', 'admin'),
  };
}

/** Opens a school of grades 1 and 2: grade 1 moves up, grade 2 graduates. */
async function openSchoolToPromote() {
  // Signs in again, so that no session ends in a later test.
  await chief.confirm();
  const school = await createSampleSchool(chief);
  const { id: schoolId, schoolDb, grades } = school;
  const [first, second] = grades;
  const head = await createAdmin(test, { username: `head of ${schoolId}`, role: 'school_admin', schoolId });
  const preview = (plan?: object) =>
    head.created<PromotionPreview>('/admin/promotions/preview', { schoolDb, plan });
  const planned = () => plannedPromotion(head, schoolDb);
  return {
    ...{ school, schoolDb, first, second, head, office: await school.issue({}), preview, planned },
    promote: async () => head.created<Promotion>('/admin/promotions', await planned()),
    undo: ({ id }: { readonly id: number }) => head.post(`/admin/promotions/${id}/undo?schoolDb=${schoolDb}`),
    list: <T>(path: string) => head.read<T[]>(`${path}${path.includes('?') ? '&' : '?'}schoolDb=${schoolDb}`),
    state: () => readState(schoolId),
  };
}

it('a promotion proposes that the last grade graduates and others move up, with the effects on heads and credentials', async () => {
  const promoted = await openSchoolToPromote();
  const { school, first, second } = promoted;
  const head = await createAdmin(test, {
    ...{ username: 'head of the first grade', role: 'grade_admin' },
    ...{ schoolId: school.id, gradeId: first.id },
  });
  const ofGrade = await school.issue({ scopeType: 'grade', scopeGradeId: first.id, name: 'of the grade' });
  const ofClass = { scopeType: 'class', scopeClassId: first.classes[0].id, name: 'by the head' } as const;
  const stopping = await head.issue(school.schoolDb, ofClass);
  await promoted.office.give(first.classes[0].students[0].id, 3);
  const preview = await promoted.preview();
  expect(preview.graduatedGradeName).toBe('Class of 2026');
  expect(preview.problems).toEqual([]);
  expect(preview.classes.map(({ classId, toGradeId }) => [classId, toGradeId])).toEqual([
    [first.classes[0].id, second.id],
    [first.classes[1].id, second.id],
    [second.classes[0].id, null],
    [second.classes[1].id, null],
  ]);
  expect(preview.classes.map(({ records }) => records)).toEqual([1, 0, 0, 0]);
  expect(preview.heads).toMatchObject([{ id: head.id, gradeId: first.id }]);
  expect(preview.credentials).toMatchObject([
    { id: ofGrade.id, effect: 'stays', gradeId: first.id },
    { id: stopping.id, effect: 'stops', className: 'Class A' },
  ]);
  await promoted.promote();
  expect(await ofGrade.read('/students')).toMatchObject({ total: 0 });
  expect((await stopping.get('/students')).code).toBe(40105);
});

describe('A promoted school', async () => {
  const promoted = await openSchoolToPromote();
  const { school, office, head, first, second } = promoted;
  const [moved, graduated] = [first.classes[0], second.classes[0]];
  let promotion: Promotion;

  it('a promotion moves students, records, teachers and class credentials along, and disables graduates', async () => {
    const place = { schoolId: school.id, gradeId: first.id, classId: moved.id };
    const username = `teacher of ${school.id}`;
    const teacher = await createAdmin(test, { username, role: 'class_admin', ...place });
    const ofClass = await school.issue({ scopeType: 'class', scopeClassId: moved.id });
    const ofSecond = await school.issue({ scopeType: 'grade', scopeGradeId: second.id });
    await office.give(moved.students[0].id, 5);
    await office.give(graduated.students[0].id, 7);
    const { cursor } = await ofSecond.read<{ cursor: string }>('/changes');
    const signIn = () => test.signInStudent(school.schoolDb, graduated.students[0].username);
    const session = await signIn();

    promotion = await promoted.promote();
    expect(promotion).toMatchObject({
      classes: 4,
      students: 12,
      graduated: { name: 'Class of 2026', classes: 2, students: 6 },
      undo: { isPossible: true, because: null },
    });
    const own = { id: moved.id, gradeId: second.id, totalScore: 5, studentCount: 3 };
    expect(await teacher.read(`/classes?schoolDb=${school.schoolDb}`)).toMatchObject([own]);
    expect(await teacher.read('/auth/me')).toMatchObject({ gradeId: second.id, classId: moved.id });
    await ofClass.give(moved.students[1].id, 1);
    expect((await session.get('/auth/student/me')).status).toBe(401);
    await expect(signIn()).rejects.toThrow();

    // A head of the second grade sees one class leave it and the next one arrive.
    const path = `/changes?after=${cursor}&types=student&limit=1000`;
    const read = async () => (await ofSecond.read<{ list: { id: number; action: string }[] }>(path)).list;
    await expect.poll(async () => (await read()).length).toBe(12);
    const seen = new Map((await read()).map(({ id, action }) => [id, action]));
    for (const { id } of moved.students) expect(seen.get(id)).toBe('created');
    for (const { id } of graduated.students) expect(seen.get(id)).toBe('deleted');
    await test.expectVerifiedLedger();
  });

  it('graduates are hidden from lists of the present school, and shown on request', async () => {
    const names = async (path: string) =>
      (await promoted.list<ClassSummary>(path)).map(({ name, archived }) => [name, archived]);
    expect(await names('/grades')).toEqual([
      ['Grade 1', false],
      ['Grade 2', false],
    ]);
    expect(await names('/grades?archived=true')).toEqual([['Class of 2026', true]]);
    for (const [path, count] of [
      ['/classes', 2],
      ['/classes?archived=true', 2],
      [`/classes?gradeId=${promotion.graduated?.gradeId}`, 2],
      ['/users', 6],
      ['/users?archived=true', 6],
      [`/users?classId=${graduated.id}`, 3],
      ['/stats/classes', 2],
      ['/stats/leaders', 6],
    ] as const) {
      expect([path, (await promoted.list(path)).length]).toEqual([path, count]);
    }
    expect(await promoted.list('/stats/overview')).toMatchObject({ totalUsers: 6, totalScores: 6 });
    expect(await promoted.list(`/stats/overview?classId=${graduated.id}`)).toMatchObject({ totalScores: 7 });
    expect(await promoted.list(`/stats/leaders?classId=${graduated.id}`)).toMatchObject([
      { rank: 1, totalScore: 7 },
      { rank: 2 },
      { rank: 2 },
    ]);
    // External lists keep showing graduates.
    for (const [path, total] of [
      ['/grades', 3],
      ['/grades?archived=false', 2],
      ['/classes', 4],
      ['/classes?archived=true', 2],
      ['/students', 12],
      ['/students?disabled=false', 6],
    ] as const) {
      expect([path, await office.read(path)]).toMatchObject([path, { total }]);
    }
    expect(await office.read('/stats/overview')).toMatchObject({
      structure: { gradeCount: 2, classCount: 2, studentCount: 6, disabledStudentCount: 0 },
      scores: { totalScore: 6, todayRecordCount: 2 },
      topStudents: [{ totalScore: 5 }, { totalScore: 1 }],
    });
    // A roster lists graduates as people with disabled accounts.
    const roster = rosterApi(test.app.http);
    const token = await roster.signIn(office);
    for (const [collection, filter, count] of [
      ['classes', "status='active'", 2],
      ['courses', "status='active'", 2],
      // Of six students and their class teacher.
      ['enrollments', "status='active'", 7],
      ['users', "enabledUser='false'", 6],
    ] as const) {
      const { headers } = await roster.get(token, `/${collection}?filter=${encodeURIComponent(filter)}`);
      expect([collection, headers['x-total-count']]).toEqual([collection, String(count)]);
    }
    const { id } = graduated.students[1];
    for (const action of ['export', 'erase']) {
      const answer = await head.post(`/users/${id}/${action}?schoolDb=${school.schoolDb}`);
      expect([action, answer.status]).toEqual([action, 200]);
    }
    await test.expectVerifiedLedger();
  });
});

it('taught classes stay by default or end by choice, those of graduates always end, and the undo restores them', async () => {
  const promoted = await openSchoolToPromote();
  const { school, schoolDb, head, first, second } = promoted;
  const [moved, graduated] = [first.classes[0], second.classes[0]];
  const teaches = [moved.id, graduated.id];
  const username = `subject teacher of ${school.id}`;
  const teacher = await createAdmin(test, { username, role: 'teacher', schoolId: school.id, teaches });
  const taught = async () => {
    const shown = await teacher.read<ClassSummary[]>(`/classes?schoolDb=${schoolDb}`);
    return shown.map(({ id }) => id).sort();
  };
  const give = ({ students: [{ id }] }: typeof moved) =>
    teacher.post('/scores/add', { schoolDb, userId: id, scoreChange: 1 });
  for (const [clearTeaching, kept] of [
    [undefined, [moved.id]],
    [true, []],
  ] as const) {
    expect((await promoted.preview()).teaching).toBe(1);
    const body = { ...(await promoted.planned()), clearTeaching };
    const promotion = await head.created<Promotion>('/admin/promotions', body);
    expect(await taught()).toEqual(kept);
    expect((await give(graduated)).status).toBe(403);
    expect((await promoted.preview()).teaching).toBe(0);
    // Changing the account must keep the assignments that the undo restores.
    const { teaches: shown } = await head.read<Administrator>(`/admin/manage/${teacher.id}`);
    expect(shown.map(({ classId }) => classId)).toEqual(kept);
    await head.patch(`/admin/manage/${teacher.id}`, { teaches: kept.map((classId) => ({ classId })) });
    expect((await promoted.undo(promotion)).status).toBe(200);
    expect(await taught()).toEqual(teaches);
  }
  expect((await give(graduated)).status).toBe(200);
});

describe('A promotion', async () => {
  const promoted = await openSchoolToPromote();
  const { head, office, first } = promoted;

  it('reports duplicate names, missing classes and unknown grades', async () => {
    const { graduatedGradeName, classes } = await promoted.planned();
    const plan = { graduatedGradeName, classes };
    const stays = plan.classes.map((entry) => ({ ...entry, gradeId: promoted.second.id }));
    const nowhere = plan.classes.map((entry, i) => (i === 0 ? { ...entry, gradeId: 999_999 } : entry));
    for (const [changed, problems] of [
      [{ classes: stays }, ['classNameTaken', 'classNameTaken']],
      [{ classes: plan.classes.slice(1) }, ['classesDiffer']],
      [{ graduatedGradeName: 'Grade 1' }, ['gradeNameTaken']],
      [{ classes: nowhere }, ['gradeUnknown']],
    ] as const) {
      const preview = await promoted.preview({ ...plan, ...changed });
      expect(preview.problems.map(({ kind }) => kind)).toEqual(problems);
    }
  });

  it('answers 409 when grades or classes changed since the preview, happens once, and is undone once', async () => {
    const planned = await promoted.planned();
    await office.post('/classes', { gradeId: first.id, name: 'Class C' });
    const before = await promoted.state();
    const late = await head.post('/admin/promotions', planned);
    expect([late.status, late.message]).toEqual([409, expect.stringMatching(/changed since the preview/)]);
    expect(await promoted.state()).toEqual(before);
    const key = { 'idempotency-key': 'the promotion of this year' };
    const body = await promoted.planned();
    const promotion = await head.created<Promotion>('/admin/promotions', body, key);
    expect(await head.created('/admin/promotions', body, key)).toEqual(promotion);
    expect(await promoted.list('/admin/promotions')).toHaveLength(1);
    const [line] = await promoted.list<Activity>('/admin/activity?action=promoteSchool');
    expect(line?.target).toEqual({ id: promotion.id, name: 'Class of 2026' });
    expect((await promoted.undo(promotion)).data).toMatchObject({ undo: { because: 'undone' } });
    expect((await promoted.undo(promotion)).status).toBe(409);
    expect(await promoted.list('/admin/promotions')).toMatchObject([{ undo: { because: 'undone' } }]);
    expect(await office.read('/grades')).toMatchObject({ total: 2 });
  });

  it('cannot be undone while a class has another name or another class has its name, once a term has ended, or once points have been given', async () => {
    const { id } = await promoted.promote();
    test.clock.advance(1_000);
    const [room] = first.classes;
    let added = 0;
    const another = { gradeId: first.id, name: 'Class A' };
    const reset = { schoolDb: promoted.schoolDb, classId: room.id, action: 'reset' };
    const addAnother = async () => {
      added = (await office.created<{ id: number }>('/classes', another)).id;
      return { status: 200 };
    };
    const steps: [because: string | null, change: () => Promise<{ status: number }>][] = [
      ['structure', () => office.patch(`/classes/${room.id}`, { name: 'Class Z' })],
      [null, () => office.patch(`/classes/${room.id}`, { name: 'Class A' })],
      ['structure', addAnother],
      [null, () => office.delete(`/classes/${added}?confirm=true`)],
      ['termEnded', () => head.post('/admin/term-switch', reset)],
      ['scored', () => office.post('/scores', { userId: room.students[0].id, scoreChange: 1 })],
    ];
    for (const [because, change] of steps) {
      expect((await change()).status).toBe(200);
      const [{ undo }] = (await promoted.list<Promotion>('/admin/promotions')) as [Promotion];
      expect(undo).toEqual({ isPossible: because === null, because });
      if (because === null) continue;
      const before = await promoted.state();
      const late = await promoted.undo({ id });
      expect(late.status).toBe(409);
      if (because === 'scored') expect(late.message).toMatch(/points have been given since/);
      expect(await promoted.state()).toEqual(before);
    }
  });
});

/** Generates a grade that may have a next grade, and its classes: the number of students, and how many of them left. */
const grade = fc.record({
  name: fc.constantFrom('Grade 1', 'Grade 2', 'Grade 3', '七年级', '八年级', '初三', '2023级', 'Beginners'),
  classes: fc.array(fc.record({ students: fc.nat(2), left: fc.nat(1), points: fc.nat(5) }), { maxLength: 3 }),
});
const choice = fc.record({
  isProposed: fc.boolean(),
  to: fc.nat(9),
  graduates: fc.boolean(),
  name: fc.constantFrom('as it is', 'Class 1', 'Class 2', 'another'),
});

it('a promotion moves every class by its plan and loses nobody, and its undo restores everything', async () => {
  const { id: neighbour } = await createSampleSchool(chief, 'Beside it');
  const neighbourBefore = await readState(neighbour);
  const school = async (grades: readonly (typeof grade extends fc.Arbitrary<infer T> ? T : never)[]) => {
    const made = await chief.created<{ id: number; schoolDb: string }>('/schools', { name: 'Any school' });
    const office = await chief.issue(made.schoolDb);
    for (const { name, classes } of grades) {
      const { id: gradeId } = await office.created<{ id: number }>('/grades', { name });
      for (const [i, { students, left, points }] of classes.entries()) {
        const place = { gradeId, name: `Class ${i + 1}` };
        const { id: classId } = await office.created<{ id: number }>('/classes', place);
        if (students === 0) continue;
        const batch = Array.from({ length: students }, (_, n) => ({ username: `${classId} ${n}` }));
        const { details } = await office.created<BulkStudents>('/students', { classId, batch });
        const items = details.map(({ id }) => ({ userId: id }));
        await office.created('/scores', { items, scoreChange: points });
        if (left === 1) await office.patch(`/students/${details[0]?.id}`, { disabled: true });
      }
    }
    return made;
  };
  const schools = fc.uniqueArray(grade, { selector: ({ name }) => name, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(schools, fc.array(choice, { minLength: 12, maxLength: 12 }), async (grades, choices) => {
      await chief.confirm();
      const own = await school(grades);
      const { schoolDb } = own;
      const before = await readState(own.id);
      const proposal = await chief.created<PromotionPreview>('/admin/promotions/preview', { schoolDb });
      const classes = proposal.classes.map(({ classId, className, toGradeId, name }, i) => {
        const { isProposed, to, graduates, name: wanted } = choices[i] as (typeof choices)[number];
        if (isProposed) return { classId, gradeId: toGradeId, name };
        const gradeId = graduates ? null : (before.grades[to % before.grades.length]?.id as number);
        return { classId, gradeId, name: wanted === 'as it is' ? className : wanted };
      });
      const { fingerprint, graduatedGradeName } = proposal;
      const plan = { classes, graduatedGradeName };
      const preview = await chief.created<PromotionPreview>('/admin/promotions/preview', { schoolDb, plan });
      const answer = await chief.post('/admin/promotions', { schoolDb, fingerprint, ...plan });
      const changes = classes.some(({ classId, gradeId, name }) => {
        const found = before.classes.find(({ id }) => id === classId);
        return found?.grade_id !== gradeId || found?.name !== name;
      });
      expect(answer.status, answer.message).toBe(preview.problems.length === 0 && changes ? 200 : 409);
      if (answer.status !== 200) {
        expect(await readState(own.id)).toEqual(before);
        return;
      }
      const promotion = answer.data as Promotion;
      const after = await readState(own.id);
      const kept = ({ students }: typeof after) =>
        students.map(({ id, class_id, total_score }) => [id, class_id, total_score]);
      expect(kept(after)).toEqual(kept(before));
      for (const { id, grade_id, name, archived } of after.classes) {
        const planned = classes.find(({ classId }) => classId === id);
        expect([grade_id, name, archived]).toEqual([
          planned?.gradeId ?? promotion.graduated?.gradeId,
          planned?.name,
          planned?.gradeId === null,
        ]);
      }
      await test.expectVerifiedLedger();
      const undone = await chief.post(`/admin/promotions/${promotion.id}/undo?schoolDb=${schoolDb}`);
      expect(undone.status, undone.message).toBe(200);
      expect(await readState(own.id)).toEqual(before);
      await test.expectVerifiedLedger();
    }),
    { seed: testSeed, numRuns: 5 },
  );
  expect(await readState(neighbour)).toEqual(neighbourBefore);
});
