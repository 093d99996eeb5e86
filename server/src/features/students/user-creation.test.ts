import { describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import type { AdminClient, InternalAnswer } from '../../../test/identities.ts';

const { test, admin, school, other, staff } = await openStaffedSchool();

let named = 0;
const fresh = () => `fresh${++named}`;
const create = (who: AdminClient, body: object) => {
  const isWhole = ['password', 'students', 'defaultPassword'].some((name) => name in body);
  const password = isWhole ? {} : { generatePassword: true };
  return who.post('/users', { schoolDb: school.schoolDb, ...password, ...body });
};
const own = () => school.grades[0].classes[0].id;

interface Bulk {
  readonly successCount: number;
  readonly failedCount: number;
  readonly totalCount: number;
  readonly details: readonly {
    index: number;
    success: boolean;
    code: number;
    reason: string | null;
    username: string | null;
    id: number | null;
    initialPassword?: string;
  }[];
}
const bulk = ({ data }: InternalAnswer) => data as Bulk;

describe('POST /users for one student', () => {
  it('returns the account, and the student signs in with the given password', async () => {
    const username = fresh();
    const body = { username, password: 'kindle42', actualName: '李伟', classId: own() };
    const answer = await create(staff.ofClass, body);
    expect(answer).toMatchObject({ status: 200, success: true });
    expect(answer.data).toEqual({
      id: expect.any(Number),
      username,
      actualName: '李伟',
      externalId: null,
      cardNumber: null,
      classId: own(),
      className: 'Class A',
      gradeId: school.grades[0].id,
      gradeName: 'Grade 1',
      disabled: false,
      erased: false,
      passwordState: 'unused',
      totalScore: 0,
      addScore: 0,
      deductScore: 0,
      scoreCount: 0,
      createdAt: test.clock.now().toISOString(),
      updatedAt: test.clock.now().toISOString(),
      email: null,
      emailBound: false,
      emailBoundAt: null,
      passwordEndsAt: null,
    });
    await test.signInStudent(school.schoolDb, username, 'kindle42');
  });

  it.each([
    ['neither password nor generatePassword', {}, 'password is required'],
    ['generatePassword: false', { generatePassword: false }, 'password is required'],
    ['both', { password: 'kindle42', generatePassword: true }, 'not both'],
  ])('answers 400 to %s', async (_what, body, message) => {
    const student = { schoolDb: school.schoolDb, username: fresh(), classId: own() };
    expect(await staff.ofClass.post('/users', { ...student, ...body })).toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
      data: null,
    });
  });

  it('generates a working password on request, and uses the username as the name', async () => {
    const username = fresh();
    const { data } = await create(staff.ofClass, { username, classId: own() });
    const { initialPassword } = data as { initialPassword: string };
    expect(data).toMatchObject({ actualName: username, initialPassword: expect.stringMatching(/^\w{10}$/) });
    await test.signInStudent(school.schoolDb, username, initialPassword);
  });

  it.each([
    '𠮷田',
    '𬸦𰻞',
    '王👨‍👩‍👧',
    'Zoe\u0308',
    'Zo\u00EB',
    '张\uE863\u{F0001}',
    'བཀྲ་ཤིས།',
    '２０２６（Ａ）',
    '李\u200B\u00A0伟',
    '葛\u{E0100}城',
  ])('keeps the name %s unchanged, and finds it by each character', async (name) => {
    const username = `${fresh()}${name.replace(/\s/g, '')}`;
    const { data } = await create(staff.ofClass, { username, actualName: name, classId: own() });
    expect(data).toMatchObject({ username, actualName: name });
    for (const search of [...name.replace(/\s/g, '')]) {
      const path = `/users?schoolDb=${school.schoolDb}&search=${encodeURIComponent(search)}`;
      const found = (await staff.ofClass.get(path)).data as { username: string; actualName: string }[];
      expect(found.map((one) => [one.username, one.actualName])).toContainEqual([username, name]);
    }
  });

  it('answers 409 to a username that exists in the same school', async () => {
    const classId = other.grades[0].classes[0].id;
    const elsewhere = { schoolDb: other.schoolDb, username: 's1a1-new', password: 'kindle42', classId };
    expect((await admin.post('/users', elsewhere)).status).toBe(200);
    for (const status of [200, 409]) {
      const answer = await create(staff.ofClass, { username: 's1a1-new', classId: own() });
      expect(answer.status).toBe(status);
    }
  });

  it.each([
    ['no class', { username: 'x' }, 'classId is required'],
    ['a username with a line break', { username: 'a\nb', classId: 1 }, 'username'],
    ['a default password without a batch', { defaultPassword: 'kindle42' }, 'students is required'],
  ])('answers %s with 400', async (_what, body, message) => {
    const answer = await create(staff.ofClass, body);
    expect(answer).toMatchObject({ status: 400, message: expect.stringContaining(message) });
  });
});

describe('POST /users for a batch', () => {
  it('returns the outcome of each entry in order, with codes of the external API', async () => {
    const [good, moved] = [fresh(), fresh()];
    const answer = await create(staff.ofGrade, {
      classId: own(),
      students: [
        { username: good, actualName: '王芳' },
        { username: 's1a1' },
        { username: good },
        { username: moved, classId: school.grades[0].classes[1].id },
        { username: fresh(), classId: school.grades[1].classes[0].id },
        { username: fresh(), classId: 999_999 },
        { username: '' },
        { actualName: 'nameless' },
        { username: 'x', actualname: 'misspelt' },
        7,
      ],
    });
    expect(answer.status).toBe(200);
    const { details, ...counts } = bulk(answer);
    expect(counts).toEqual({ successCount: 2, failedCount: 8, totalCount: 10 });
    expect(details.map((detail) => [detail.index, detail.success, detail.code])).toEqual([
      [0, true, 0],
      [1, false, 40901],
      [2, false, 40901],
      [3, true, 0],
      [4, false, 40303],
      [5, false, 40303],
      [6, false, 40002],
      [7, false, 40001],
      [8, false, 40002],
      [9, false, 40002],
    ]);
    expect(details[0]).toMatchObject({ username: good, id: expect.any(Number), reason: null });
    expect(details[1]).toEqual({
      index: 1,
      success: false,
      code: 40901,
      reason: 'The username "s1a1" is taken',
      username: 's1a1',
      id: null,
    });
    await test.signInStudent(school.schoolDb, good, details[0]?.initialPassword);
    await test.signInStudent(school.schoolDb, moved, details[3]?.initialPassword);
    expect(details[0]?.initialPassword).not.toBe(details[3]?.initialPassword);
  });

  it('gives all students the default password, and returns no password', async () => {
    const students = [{ username: fresh() }, { username: fresh() }];
    const answer = await create(staff.ofClass, { classId: own(), defaultPassword: 'kindle42', students });
    expect(JSON.stringify(answer.data)).not.toMatch(/initialPassword|kindle42/);
    for (const { username } of students) await test.signInStudent(school.schoolDb, username, 'kindle42');
  });

  it('uses the class of a class administrator, and fails entries without a class of others', async () => {
    const students = [{ username: fresh() }];
    expect(bulk(await create(staff.ofClass, { students })).successCount).toBe(1);
    const [without, withOne] = [fresh(), fresh()];
    const mixed = bulk(
      await create(staff.ofSchool, {
        students: [{ username: without }, { username: withOne, classId: own() }],
      }),
    );
    expect(mixed.details).toMatchObject([
      { success: false, code: 40003, reason: 'classId is required', username: without },
      { success: true, username: withOne },
    ]);
  });
});
