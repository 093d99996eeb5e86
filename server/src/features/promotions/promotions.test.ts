import type {
  Activity,
  ClassSummary,
  GradeSummary,
  ListedStudent,
  Promotion,
  PromotionPreview,
} from '@classledger/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Staff } from '../../../test/administrators.ts';
import { createAdmin } from '../../../test/administrators.ts';
import type { CredentialClient } from '../../../test/identities.ts';
import {
  createSampleSchool,
  type SampleSchool,
  startTestApp,
  studentPassword,
  type TestApp,
} from '../../../test/test-app.ts';

/** A school of grades 1 and 2: grade 1 moves up, grade 2 graduates. */

let test: TestApp;
let chief: Staff;

beforeAll(async () => {
  test = await startTestApp();
  chief = await createAdmin(test, { username: 'chief', role: 'super_admin', schoolId: null });
});

class PromotedSchool {
  readonly school: SampleSchool;
  readonly office: CredentialClient;
  readonly head: Staff;

  constructor(school: SampleSchool, office: CredentialClient, head: Staff) {
    this.school = school;
    this.office = office;
    this.head = head;
  }

  static async open(): Promise<PromotedSchool> {
    // Signs in again, so that no session ends in a later test.
    await chief.confirm();
    const school = await createSampleSchool(chief);
    const head = await createAdmin(test, {
      username: `head of ${school.id}`,
      role: 'school_admin',
      schoolId: school.id,
    });
    return new PromotedSchool(school, await school.issue({}), head);
  }

  get first() {
    return this.school.grades[0];
  }

  get second() {
    return this.school.grades[1];
  }

  async preview(plan?: object): Promise<PromotionPreview> {
    return this.head.created('/admin/promotions/preview', { schoolDb: this.school.schoolDb, plan });
  }

  async planned() {
    const { fingerprint, graduatedGradeName, classes } = await this.preview();
    const plan = classes.map(({ classId, toGradeId, name }) => ({ classId, gradeId: toGradeId, name }));
    return { schoolDb: this.school.schoolDb, fingerprint, graduatedGradeName, classes: plan };
  }

  async promote(): Promise<Promotion> {
    return this.head.created('/admin/promotions', await this.planned());
  }

  undo({ id }: { readonly id: number }) {
    return this.head.post(`/admin/promotions/${id}/undo?schoolDb=${this.school.schoolDb}`);
  }

  async list<T>(path: string): Promise<T[]> {
    const sign = path.includes('?') ? '&' : '?';
    return (await this.head.get(`${path}${sign}schoolDb=${this.school.schoolDb}`)).data as T[];
  }

  async places() {
    const { rows } = await test.database.pool.query(
      `SELECT s.id, s.class_id, s.disabled, s.disabled_at, s.total_score, c.name, c.archived, c.grade_id, g.name AS grade,
         c.student_count, c.disabled_student_count, c.add_score
       FROM class c JOIN grade g ON g.school_id = c.school_id AND g.id = c.grade_id
         LEFT JOIN student s ON s.school_id = c.school_id AND s.class_id = c.id
       WHERE c.school_id = $1 ORDER BY c.id, s.id`,
      [this.school.id],
    );
    const { rows: people } = await test.database.pool.query(
      'SELECT id, grade_id, class_id FROM admin WHERE school_id = $1 ORDER BY id',
      [this.school.id],
    );
    return { rows, people };
  }
}

describe('Promotion', () => {
  it('proposes that the last grade graduates and others move up, with the effects on heads and credentials', async () => {
    const promoted = await PromotedSchool.open();
    const { school, first, second } = promoted;
    const head = await createAdmin(test, {
      username: 'head of the first grade',
      role: 'grade_admin',
      schoolId: school.id,
      gradeId: first.id,
    });
    const ofGrade = await school.issue({ scopeType: 'grade', scopeGradeId: first.id, name: 'of the grade' });
    const stopping = await head.issue(school.schoolDb, {
      scopeType: 'class',
      scopeClassId: first.classes[0].id,
      name: 'by the head',
    });
    await promoted.office.give(first.classes[0].students[0]?.id as number, 3);
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
    expect((await ofGrade.get('/students')).data).toMatchObject({ total: 0 });
    expect((await stopping.get('/students')).code).toBe(40105);
  });

  it('moves students, records, teachers and class credentials along, and disables graduates', async () => {
    const promoted = await PromotedSchool.open();
    const { school, office, first, second } = promoted;
    const [moved, graduated] = [first.classes[0], second.classes[0]];
    const teacher = await createAdmin(test, {
      username: `teacher of ${school.id}`,
      role: 'class_admin',
      schoolId: school.id,
      gradeId: first.id,
      classId: moved.id,
    });
    const ofClass = await school.issue({ scopeType: 'class', scopeClassId: moved.id });
    const ofSecond = await school.issue({ scopeType: 'grade', scopeGradeId: second.id });
    await office.give(moved.students[0]?.id as number, 5);
    const { cursor } = (await ofSecond.get('/changes')).data as { cursor: string };
    const session = await test.signInStudent(school.schoolDb, graduated.students[0]?.username as string);

    const promotion = await promoted.promote();
    expect(promotion).toMatchObject({
      classes: 4,
      students: 12,
      graduated: { name: 'Class of 2026', classes: 2, students: 6 },
      undo: { isPossible: true, because: null },
    });
    const mine = (await teacher.get(`/classes?schoolDb=${school.schoolDb}`)).data;
    expect(mine).toMatchObject([{ id: moved.id, gradeId: second.id, totalScore: 5, studentCount: 3 }]);
    expect((await teacher.get('/auth/me')).data).toMatchObject({ gradeId: second.id, classId: moved.id });
    await ofClass.give(moved.students[1]?.id as number, 1);
    expect((await session.get('/auth/student/me')).status).toBe(401);
    const login = { username: graduated.students[0]?.username, password: studentPassword };
    const again = await test.anonymous.internal.post('/auth/student/login', {
      ...login,
      schoolDb: school.schoolDb,
    });
    expect(again.status).not.toBe(200);

    // A head of the second grade sees one class leave it and the next one arrive.
    const read = async () =>
      (
        (await ofSecond.get(`/changes?after=${cursor}&types=student&limit=1000`)).data as {
          list: { id: number; action: string }[];
        }
      ).list;
    await expect.poll(async () => (await read()).length).toBe(12);
    const seen = new Map((await read()).map(({ id, action }) => [id, action]));
    expect(moved.students.map(({ id }) => seen.get(id))).toEqual(['created', 'created', 'created']);
    expect(graduated.students.map(({ id }) => seen.get(id))).toEqual(['deleted', 'deleted', 'deleted']);
    await test.expectProven();
  });

  it('hides graduates from lists of the present school, and shows them on request', async () => {
    const promoted = await PromotedSchool.open();
    const { office, second } = promoted;
    const [graduated] = second.classes;
    await office.give(graduated.students[0]?.id as number, 7);
    const { graduated: grade } = await promoted.promote();
    const gradeId = grade?.gradeId as number;
    const names = async (path: string) =>
      (await promoted.list<GradeSummary | ClassSummary>(path)).map(({ name, archived }) => [name, archived]);
    expect(await names('/grades')).toEqual([
      ['Grade 1', false],
      ['Grade 2', false],
    ]);
    expect(await names('/grades?archived=true')).toEqual([['Class of 2026', true]]);
    expect((await promoted.list('/classes')).length).toBe(2);
    expect((await promoted.list('/classes?archived=true')).length).toBe(2);
    expect((await promoted.list(`/classes?gradeId=${gradeId}`)).length).toBe(2);
    expect((await promoted.list<ListedStudent>('/users')).length).toBe(6);
    expect((await promoted.list<ListedStudent>('/users?archived=true')).length).toBe(6);
    expect((await promoted.list<ListedStudent>(`/users?classId=${graduated.id}`)).length).toBe(3);
    expect(await promoted.list('/stats/overview')).toMatchObject({ totalUsers: 6, totalScores: 0 });
    expect(await promoted.list(`/stats/overview?classId=${graduated.id}`)).toMatchObject({ totalScores: 7 });
    expect((await promoted.list('/stats/classes')).length).toBe(2);
    expect(await promoted.list(`/stats/leaders?classId=${graduated.id}`)).toMatchObject([
      { rank: 1, totalScore: 7 },
      { rank: 2 },
      { rank: 2 },
    ]);
    expect((await promoted.list('/stats/leaders')).length).toBe(6);
    // External lists keep showing graduates.
    const total = async (path: string) => ((await office.get(path)).data as { total: number }).total;
    expect([await total('/grades'), await total('/grades?archived=false')]).toEqual([3, 2]);
    expect([await total('/classes'), await total('/classes?archived=true')]).toEqual([4, 2]);
    expect([await total('/students'), await total('/students?disabled=false')]).toEqual([12, 6]);
    expect((await office.get('/stats/overview')).data).toMatchObject({
      structure: { gradeCount: 2, classCount: 2, studentCount: 6, disabledStudentCount: 0 },
      scores: { totalScore: 0, todayRecordCount: 0 },
      topStudents: [],
    });
    // A roster lists graduates as people with disabled accounts.
    const { id: client, token } = office;
    const granted = await test.app.http.inject({
      method: 'POST',
      url: '/ims/oneroster/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: String(client),
        client_secret: token,
      }).toString(),
    });
    const authorization = `Bearer ${granted.json().access_token}`;
    const rostered = async (path: string, filter = "status='active'") => {
      const url = `/ims/oneroster/rostering/v1p2${path}?filter=${encodeURIComponent(filter)}`;
      return Number(
        (await test.app.http.inject({ url, headers: { authorization } })).headers['x-total-count'],
      );
    };
    expect([await rostered('/classes'), await rostered('/courses'), await rostered('/enrollments')]).toEqual([
      2, 2, 6,
    ]);
    expect(await rostered('/users', "enabledUser='false'")).toBe(6);
    const { id } = graduated.students[1] as { id: number };
    const { schoolDb } = promoted.school;
    expect((await promoted.head.post(`/users/${id}/export?schoolDb=${schoolDb}`)).status).toBe(200);
    expect((await promoted.head.post(`/users/${id}/erase?schoolDb=${schoolDb}`)).status).toBe(200);
    await test.expectProven();
  });

  it('answers 409 when grades or classes changed since the preview, and happens once', async () => {
    const promoted = await PromotedSchool.open();
    const planned = await promoted.planned();
    await promoted.office.post('/classes', { gradeId: promoted.first.id, name: 'Class C' });
    const before = await promoted.places();
    const late = await promoted.head.post('/admin/promotions', planned);
    expect([late.status, late.message]).toEqual([409, expect.stringMatching(/changed since the preview/)]);
    expect(await promoted.places()).toEqual(before);
    const key = { 'idempotency-key': 'the promotion of this year' };
    const body = await promoted.planned();
    const [one, two] = [
      await promoted.head.post('/admin/promotions', body, key),
      await promoted.head.post('/admin/promotions', body, key),
    ];
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(two.data).toEqual(one.data);
    expect(await promoted.list('/admin/promotions')).toHaveLength(1);
    const [line] = await promoted.list<Activity>('/admin/activity?action=promoteSchool');
    expect(line?.target).toEqual({ id: (one.data as Promotion).id, name: 'Class of 2026' });
  });

  it('reports duplicate names, missing classes and unknown grades, and then answers 409', async () => {
    const promoted = await PromotedSchool.open();
    const { fingerprint, schoolDb, ...plan } = await promoted.planned();
    const stays = plan.classes.map((entry) => ({ ...entry, gradeId: promoted.second.id }));
    const problems = async (changed: object) =>
      (await promoted.preview({ ...plan, ...changed })).problems.map(({ kind }) => kind);
    expect(await problems({ classes: stays })).toEqual(['classNameTaken', 'classNameTaken']);
    expect(await problems({ classes: plan.classes.slice(1) })).toEqual(['classesDiffer']);
    expect(await problems({ graduatedGradeName: 'Grade 1' })).toEqual(['gradeNameTaken']);
    const nowhere = plan.classes.map((entry, i) => (i === 0 ? { ...entry, gradeId: 999_999 } : entry));
    expect(await problems({ classes: nowhere })).toEqual(['gradeUnknown']);
    const answer = await promoted.head.post('/admin/promotions', {
      schoolDb,
      fingerprint,
      ...plan,
      classes: stays,
    });
    expect(answer.status).toBe(409);
  });
});

describe('Undo of a promotion', () => {
  it('restores places, names and accounts, until points are given', async () => {
    const promoted = await PromotedSchool.open();
    const { office, first, second } = promoted;
    const left = second.classes[0].students[2]?.id as number;
    await office.patch(`/students/${left}`, { disabled: true });
    await office.give(first.classes[0].students[0]?.id as number, 5);
    const before = await promoted.places();
    const undone = await promoted.promote();
    expect(await promoted.places()).not.toEqual(before);
    expect((await promoted.undo(undone)).data).toMatchObject({ undo: { because: 'undone' } });
    expect(await promoted.places()).toEqual(before);
    expect((await office.get('/grades')).data).toMatchObject({ total: 2 });
    await test.expectProven();

    const promotion = await promoted.promote();
    test.clock.advance(1_000);
    await office.give(first.classes[0].students[0]?.id as number, 1);
    const late = await promoted.undo(promotion);
    expect([late.status, late.message]).toEqual([409, expect.stringMatching(/points have been given since/)]);
    expect(await promoted.list('/admin/promotions')).toMatchObject([
      { id: promotion.id, undo: { isPossible: false, because: 'scored' } },
      { id: undone.id, undo: { because: 'undone' } },
    ]);
  });

  it.each([
    [
      'a class has another name',
      'structure',
      (p: PromotedSchool) => p.office.patch(`/classes/${p.first.classes[0].id}`, { name: 'Class Z' }),
    ],
    [
      'a new class has its name',
      'structure',
      (p: PromotedSchool) => p.office.post('/classes', { gradeId: p.first.id, name: 'Class A' }),
    ],
    [
      'a term has ended',
      'termEnded',
      (p: PromotedSchool) =>
        p.head.post('/admin/term-switch', {
          schoolDb: p.school.schoolDb,
          classId: p.first.classes[0].id,
          action: 'reset',
        }),
    ],
  ] as const)('answers 409 once %s', async (_, because, change) => {
    const promoted = await PromotedSchool.open();
    const promotion = await promoted.promote();
    test.clock.advance(1_000);
    expect((await change(promoted)).status).toBe(200);
    const before = await promoted.places();
    expect((await promoted.undo(promotion)).status).toBe(409);
    expect(await promoted.list('/admin/promotions')).toMatchObject([{ undo: { because } }]);
    expect(await promoted.places()).toEqual(before);
  });
});
