import type { BulkStudents, ListedStudent } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';

const { test, school, staff, office } = await openStaffedSchool();
const { schoolDb } = school;
const classId = school.grades[0].classes[0].id;
const head = staff.ofSchool;
const given = 'kindle42';
const own = 'a wooden lantern';
let made = 0;

interface Account {
  readonly id: number;
  readonly username: string;
  readonly password: string;
}

const ways: Readonly<Record<string, (username: string) => Promise<Omit<Account, 'username'>>>> = {
  'given alone': async (username) => {
    const { id } = await head.created<{ id: number }>('/users', {
      schoolDb,
      classId,
      username,
      password: given,
    });
    return { id, password: given };
  },
  generated: async (username) => {
    const body = { schoolDb, classId, username, generatePassword: true };
    const { id, initialPassword } = await head.created<{ id: number; initialPassword: string }>(
      '/users',
      body,
    );
    return { id, password: initialPassword };
  },
  shared: async (username) => {
    const { details } = (
      await office.post('/students', { classId, defaultPassword: given, batch: [{ username }] })
    ).data as BulkStudents;
    return { id: details[0]?.id as number, password: given };
  },
};

async function account(way: string): Promise<Account> {
  const username = `pupil${++made}`;
  return { username, ...(await ways[way]?.(username)) } as Account;
}

const list = async (query: string, by = head) =>
  (await by.get(`/users?schoolDb=${schoolDb}&${query}`)).data as ListedStudent[];
const stateOf = async ({ username }: Account) => (await list(`search=${username}`))[0]?.passwordState;

async function chooseOwn({ username, password }: Account) {
  const student = await test.signInStudent(schoolDb, username, password);
  await student.patch('/auth/student/me', { oldPassword: password, newPassword: own });
}

describe('passwordState', () => {
  it.each([
    ['given alone', 'unused', 'initial'],
    ['generated', 'unused', 'initial'],
    ['shared', 'shared', 'shared'],
  ])(
    'of a password %s is %s, then %s after a sign-in, and own after the student’s choice',
    async (way, before, used) => {
      const student = await account(way);
      expect(await stateOf(student)).toBe(before);
      await test.signInStudent(schoolDb, student.username, student.password);
      expect(await stateOf(student)).toBe(used);
      await chooseOwn(student);
      expect(await stateOf(student)).toBe('own');
    },
  );

  it('is unused again after a reset, alone or with others', async () => {
    const student = await account('shared');
    await chooseOwn(student);
    await head.created(`/users/${student.id}/password?schoolDb=${schoolDb}`, {});
    expect(await stateOf(student)).toBe('unused');
    const shared = await account('shared');
    await head.post('/users/passwords', { schoolDb, classId, userIds: [shared.id] });
    expect(await stateOf(shared)).toBe('unused');
  });

  it('filters the list by one or several states, with the total, within the range', async () => {
    const [first, second, third] = [
      await account('generated'),
      await account('shared'),
      await account('given alone'),
    ];
    await chooseOwn(third);
    const outside = school.grades[1].classes[0].id;
    const far = { schoolDb, classId: outside, username: 'pupil-far', password: given };
    await head.created('/users', far);
    const narrowed = async (states: string, by = head) =>
      (await list(`search=pupil&passwordState=${states}`, by)).map(({ username }) => username);
    expect(await narrowed('unused')).toEqual(expect.arrayContaining([first.username, 'pupil-far']));
    expect(await narrowed('unused')).not.toContain(second.username);
    expect(await narrowed('shared,unused')).toEqual(
      expect.arrayContaining([first.username, second.username]),
    );
    expect(await narrowed('shared,unused')).not.toContain(third.username);
    expect(await narrowed('own')).toContain(third.username);
    expect(await narrowed('shared,unused', staff.ofClass)).not.toContain('pupil-far');
    const page = await head.get(`/users?schoolDb=${schoolDb}&passwordState=shared,unused&limit=1`);
    const all = await list('passwordState=shared,unused');
    expect(page.headers['x-total-count']).toBe(String(all.length));
  });

  it('answers 400 to an unknown state', async () => {
    const answer = await head.get(`/users?schoolDb=${schoolDb}&passwordState=secret`);
    expect(answer).toMatchObject({ status: 400 });
  });

  it('is absent from the external API', async () => {
    const { id } = await account('generated');
    for (const path of [`/students/${id}`, `/students?classId=${classId}`, `/students?ids=${id}`]) {
      const answer = await office.get(path);
      expect(answer.status).toBe(200);
      expect(JSON.stringify(answer.data)).not.toContain('passwordState');
    }
  });
});
