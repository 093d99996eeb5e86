import { describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import type { AdminClient } from '../../../test/identities.ts';

import type { SampleStudent } from '../../../test/test-app.ts';

const address = 'li.wei@mail.example';

const { test, admin, school, staff } = await openStaffedSchool();
const student = school.grades[0].classes[0].students[0] as SampleStudent;

const url = () => `/users/${student.id}?schoolDb=${school.schoolDb}`;
const bind = async (who: AdminClient, email: string | null) => (await who.patch(url(), { email })).data;
const read = async (who: AdminClient) => (await who.get(url())).data;

describe('Email address of a student', () => {
  it('is bound with the time when it is set, and unbound by null', async () => {
    const at = test.clock.now().toISOString();
    const bound = { email: address, emailBound: true, emailBoundAt: at };
    expect(await bind(staff.ofClass, ` ${address} `)).toMatchObject(bound);
    test.clock.advance(1000);
    await staff.ofClass.patch(url(), { actualName: 'Li Wei' });
    expect(await read(staff.ofClass)).toMatchObject(bound);
    expect(await bind(staff.ofClass, 'new@mail.example')).toMatchObject({
      email: 'new@mail.example',
      emailBoundAt: test.clock.now().toISOString(),
    });
    const unbound = { email: null, emailBound: false, emailBoundAt: null };
    expect(await bind(staff.ofClass, null)).toMatchObject(unbound);
    expect(await read(staff.ofClass)).toMatchObject(unbound);
  });

  it('is visible to administrators of the school and to the student', async () => {
    await bind(staff.ofSchool, address);
    for (const who of [staff.ofSchool, staff.ofGrade, staff.ofClass]) {
      expect(await read(who)).toMatchObject({ email: address, emailBound: true });
    }
    const self = await test.signInStudent(school.schoolDb, student.username);
    expect((await self.get('/auth/student/me')).data).toMatchObject({ email: address });
  });

  it('is hidden from a super administrator, who sees only that it is bound', async () => {
    await bind(staff.ofSchool, address);
    const told = { email: null, emailBound: true, emailBoundAt: test.clock.now().toISOString() };
    expect(await read(admin)).toMatchObject(told);
    expect(await bind(admin, address)).toMatchObject(told);
    expect((await admin.patch(url(), { actualName: 'Li Wei' })).data).toMatchObject(told);
    expect(await read(staff.ofSchool)).toMatchObject({ email: address });
  });

  it('is in no list, no classmates’ answer and nothing of the external API', async () => {
    await bind(staff.ofSchool, address);
    const mate = await test.signInStudent(school.schoolDb, 's1a2');
    const office = await school.issue({});
    const answers = [
      await staff.ofClass.get(`/users?schoolDb=${school.schoolDb}`),
      await staff.ofClass.get(`/users?schoolDb=${school.schoolDb}&search=${student.username}`),
      await mate.get('/student/classmates'),
      await mate.get('/auth/student/me'),
      await office.get('/students'),
      await office.get(`/students/${student.id}`),
      await office.patch(`/students/${student.id}`, { actualName: 'Li Wei' }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(JSON.stringify(answer.data)).not.toContain('mail.example');
    }
    expect(answers[5]?.data).toMatchObject({ emailBound: true });
    expect((await office.patch(`/students/${student.id}`, { email: 'x@y.example' })).status).toBe(400);
  });
});
