import type { Role } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { createAdmin, createStaff, type Staff } from '../../../test/administrators.ts';
import type { CredentialClient, IssueInput } from '../../../test/identities.ts';
import { createSampleSchool, type SampleSchool, startTestApp } from '../../../test/test-app.ts';

const test = await startTestApp();
const admin = await test.signIn();
const other = await createSampleSchool(admin, 'Other School');

const change = (
  issuer: Staff,
  to: { role?: Role; school_id?: number; grade_id?: number | null; class_id?: number },
) => test.database.db.updateTable('admin').set(to).where('id', '=', issuer.id).execute();

const codeOf = async (credential: CredentialClient) => (await credential.get('/ping')).code;

/** The process learns of a direct database change from the next notification. */
const expectCode = (credential: CredentialClient, code: number) =>
  expect.poll(() => codeOf(credential), { interval: 10 }).toBe(code);

async function listed(credential: CredentialClient) {
  const list = (await admin.get('/api-tokens')).data as { id: number; status: string; createdBy: object }[];
  return list.find((one) => one.id === credential.id);
}
const statusOf = async (credential: CredentialClient) => (await listed(credential))?.status;

let schools = 0;

async function createSchoolWithIssuer(who: 'ofSchool' | 'ofGrade' | 'ofClass' | 'super') {
  const school = await createSampleSchool(admin, `School ${++schools}`);
  const staff = await createStaff(test, school);
  const [grade, otherGrade] = school.grades;
  const username = `super ${schools}`;
  const superAdmin = await createAdmin(test, { username, role: 'super_admin', schoolId: null });
  const issuer = who === 'super' ? superAdmin : staff[who];
  const issue = (input: IssueInput) => issuer.issue(school.schoolDb, input);
  const gradeScope = (id: number) => ({ scopeType: 'grade', scopeGradeId: id }) as const;
  const classScope = (id: number) => ({ scopeType: 'class', scopeClassId: id }) as const;
  return { school, staff, grade, otherGrade, issuer, issue, gradeScope, classScope };
}

it('a credential answers 40105 after the issuer was deleted, and still names the issuer', async () => {
  const { issue, issuer } = await createSchoolWithIssuer('super');
  const credential = await issue({});
  await test.database.db.deleteFrom('admin').where('id', '=', issuer.id).execute();
  await expectCode(credential, 40105);
  expect(await listed(credential)).toMatchObject({
    status: 'issuer_disabled',
    createdBy: { id: issuer.id, username: issuer.username },
  });
});

describe('Credential whose issuer’s range changes', () => {
  it('credentials for other grades answer 40105 when their issuer, a school administrator, becomes a grade administrator', async () => {
    const { issue, issuer, grade, otherGrade, gradeScope, classScope } =
      await createSchoolWithIssuer('ofSchool');
    const whole = await issue({});
    const kept = [await issue(gradeScope(grade.id)), await issue(classScope(grade.classes[1].id))];
    const lost = [await issue(gradeScope(otherGrade.id)), await issue(classScope(otherGrade.classes[0].id))];
    await change(issuer, { role: 'grade_admin', grade_id: grade.id });
    for (const credential of [whole, ...lost]) {
      await expectCode(credential, 40105);
      expect(await statusOf(credential)).toBe('issuer_disabled');
    }
    for (const credential of kept) {
      expect(await codeOf(credential)).toBe(0);
      expect(await statusOf(credential)).toBe('enabled');
    }
  });

  type World = Awaited<ReturnType<typeof createSchoolWithIssuer>>;
  it.each<[string, Parameters<typeof createSchoolWithIssuer>[0], (world: World) => Promise<unknown>]>([
    ['another school', 'ofSchool', (w) => change(w.issuer, { school_id: other.id })],
    [
      'the administration of another school',
      'super',
      (w) => change(w.issuer, { role: 'school_admin', school_id: other.id }),
    ],
  ])('answers 40105 when the issuer was moved to %s', async (_where, who, move) => {
    const world = await createSchoolWithIssuer(who);
    const credential = await world.issue(world.classScope(world.grade.classes[0].id));
    await move(world);
    await expectCode(credential, 40105);
  });

  it('answers 40105 while its class is in another grade than the issuer’s', async () => {
    const { school, issue, grade, otherGrade, gradeScope, classScope } =
      await createSchoolWithIssuer('ofGrade');
    const [moving] = grade.classes;
    const office = await school.issue({});
    const [ofClass, ofGrade] = [await issue(classScope(moving.id)), await issue(gradeScope(grade.id))];
    const move = async (gradeId: number) =>
      expect((await office.patch(`/classes/${moving.id}`, { gradeId, name: 'On the move' })).code).toBe(0);
    await move(otherGrade.id);
    expect(await codeOf(ofClass)).toBe(40105);
    expect(await statusOf(ofClass)).toBe('issuer_disabled');
    expect(await codeOf(ofGrade)).toBe(0);
    await move(grade.id);
    expect(await codeOf(ofClass)).toBe(0);
  });

  it('keeps its range when the issuer’s range grows', async () => {
    const { issue, issuer, grade, otherGrade, gradeScope } = await createSchoolWithIssuer('ofGrade');
    const credential = await issue(gradeScope(grade.id));
    await change(issuer, { role: 'school_admin', grade_id: null });
    expect((await credential.get(`/students?gradeId=${otherGrade.id}`)).data).toMatchObject({ total: 0 });
    expect((await credential.get('/students')).data).toMatchObject({ total: 6 });
  });

  it('stays valid when its class moves with the class administrator', async () => {
    const { school, issue, grade, otherGrade, classScope } = await createSchoolWithIssuer('ofClass');
    const credential = await issue(classScope(grade.classes[0].id));
    const moved = { gradeId: otherGrade.id, name: 'Moved' };
    expect((await (await school.issue({})).patch(`/classes/${grade.classes[0].id}`, moved)).code).toBe(0);
    expect(await codeOf(credential)).toBe(0);
  });
});

describe('Credential of a deleted grade or class', () => {
  it('after its grade is deleted, a credential of the head of grade gets empty lists and reaches nothing', async () => {
    const { school, issue, grade, otherGrade, gradeScope } = await createSchoolWithIssuer('ofGrade');
    const credential = await issue(gradeScope(grade.id));
    expect((await admin.delete(`/grades/${grade.id}?schoolDb=${school.schoolDb}`)).status).toBe(200);
    await expectEmptyRange(credential, otherGrade.classes[0]);
  });

  it('after its class is deleted, a credential of the class teacher gets empty lists and reaches nothing', async () => {
    const { school, issue, grade, classScope } = await createSchoolWithIssuer('ofClass');
    const [lost, left] = grade.classes;
    const credential = await issue(classScope(lost.id));
    expect((await admin.delete(`/classes/${lost.id}?schoolDb=${school.schoolDb}`)).status).toBe(200);
    await expectEmptyRange(credential, left);
  });

  async function expectEmptyRange(
    credential: CredentialClient,
    left: SampleSchool['grades'][0]['classes'][0],
  ) {
    expect(await credential.get('/students')).toMatchObject({ status: 200, data: { list: [], total: 0 } });
    const [student] = left.students;
    expect((await credential.patch(`/students/${student?.id}`, { disabled: true })).code).toBe(40303);
  }
});
