import type {
  Body,
  BulkStudents,
  ExternalOperations,
  InternalOperations,
  StudentBatchEntry,
  StudentDetail,
  StudentIdentity,
} from '@classledger/contract';
import type { Static } from 'typebox';
import { beforeEach, describe, expect, it } from 'vitest';
import { HeldRows } from '../../../test/held-rows.ts';
import type { CredentialClient } from '../../../test/identities.ts';
import { openSchool } from '../../../test/test-app.ts';

const { test, school, office } = await openSchool();
const from = school.grades[0].classes[0].id;
const near = school.grades[0].classes[1].id;
const far = school.grades[1].classes[0].id;
const teachers = new Map<number, CredentialClient>();
for (const id of [from, far]) {
  teachers.set(id, await school.issue({ scopeType: 'class', scopeClassId: id }));
}

describe('Student', () => {
  let id: number;
  let username: string;
  let counter = 0;

  beforeEach(async () => {
    username = `mover.${++counter}`;
    const made = await office.post('/students', { username, classId: from, password: 'secret-password' });
    id = (made.data as { id: number }).id;
  });

  const read = async () => (await office.get(`/students/${id}`)).data as StudentDetail;
  const overview = async (classId: number) => {
    const teacher = teachers.get(classId);
    return (await teacher?.get('/stats/overview'))?.data as {
      structure: { studentCount: number; disabledStudentCount: number };
      scores: {
        totalScore: number;
        addScore: number;
        deductScore: number;
        recordCount: number;
        todayRecordCount: number;
      };
    };
  };
  async function give(...changes: number[]): Promise<void> {
    for (const scoreChange of changes) {
      expect((await office.post('/scores', { userId: id, scoreChange })).code).toBe(0);
    }
  }

  describe('read by the external API', () => {
    it('shows the ten newest records, newest first', async () => {
      for (let i = 1; i <= 12; i++) {
        test.clock.advance(i % 3 === 0 ? 0 : 1_000);
        await office.post('/scores', { userId: id, scoreChange: i, description: `no. ${i}` });
      }
      const { recentScores } = await read();
      expect(recentScores.map((record) => record.scoreChange)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
      expect(recentScores[0]).toEqual({
        id: expect.any(Number),
        userId: id,
        username,
        actualName: username,
        classId: from,
        className: 'Class A',
        gradeId: school.grades[0].id,
        gradeName: 'Grade 1',
        scoreChange: 12,
        description: 'no. 12',
        occurredAt: test.clock.now().toISOString(),
        createdAt: test.clock.now().toISOString(),
      });
    });
  });

  describe('changed by the external API', () => {
    it('returns the student’s fields, and keeps those that the request omits', async () => {
      const createdAt = test.clock.now().toISOString();
      test.clock.advance(60_000);
      const updatedAt = test.clock.now().toISOString();
      const identity: StudentIdentity = {
        ...{ id, username, actualName: username, externalId: null, cardNumber: null },
        ...{ classId: from, disabled: false, createdAt, updatedAt },
      };
      const steps = [
        { actualName: '  Anna Keller ' },
        { disabled: true },
        { username: `${username}-b` },
        { classId: near },
        { disabled: false, actualName: 'Anna' },
      ];
      let expected: object = identity;
      for (const change of steps) {
        expected = { ...expected, ...change };
        if ('actualName' in change) Object.assign(expected, { actualName: change.actualName?.trim() });
        const answer = await office.patch(`/students/${id}`, change);
        expect(answer).toMatchObject({ status: 200, code: 0 });
        expect(answer.data).toEqual(expected);
        expect(await read()).toMatchObject(expected);
      }
    });

    it('answers 40002 to invalid values', async () => {
      const bad = [
        { username: '' },
        { username: 'x'.repeat(65) },
        { actualName: ' ' },
        { actualName: 'x'.repeat(101) },
        { disabled: 1 },
        { disabled: 'true' },
        { classId: 0 },
      ];
      for (const change of bad) {
        const answer = await office.patch(`/students/${id}`, change);
        expect([change, answer.status, answer.code]).toEqual([change, 400, 40002]);
      }
    });

    it('answers 40901 to the username of another student, and changes nothing', async () => {
      const taken = school.grades[1].classes[0].students[0]?.username;
      const answer = await office.patch(`/students/${id}`, { username: taken, disabled: true, classId: far });
      expect(answer).toMatchObject({ status: 409, code: 40901, data: null });
      expect(await read()).toMatchObject({ username, disabled: false, classId: from });
      await test.expectProven();
    });

    it('counts as disabled in its class while disabled', async () => {
      const before = await overview(from);
      await office.patch(`/students/${id}`, { disabled: true });
      await office.patch(`/students/${id}`, { disabled: true });
      const { studentCount, disabledStudentCount } = before.structure;
      expect((await overview(from)).structure).toMatchObject({
        studentCount,
        disabledStudentCount: disabledStudentCount + 1,
      });
      await office.patch(`/students/${id}`, { disabled: false });
      expect((await overview(from)).structure).toEqual(before.structure);
      await test.expectProven();
    });

    it('is disabled and enabled without locking the daily sums', async () => {
      await give(2);
      const held = await HeldRows.of(test, 'class_day', from, 'class_id');
      for (const disabled of [true, false]) {
        expect((await office.patch(`/students/${id}`, { disabled })).data).toMatchObject({ disabled });
      }
      await held.release();
      await test.expectProven();
    });

    it('can be read and given points while disabled', async () => {
      await office.patch(`/students/${id}`, { disabled: true });
      await give(5);
      expect(await read()).toMatchObject({ disabled: true, totalScore: 5, scoreCount: 1 });
    });
  });

  describe('moved to another class', () => {
    it('takes its records along: both classes and every list show it', async () => {
      await give(10, -4);
      test.clock.advance(86_400_000);
      await give(0, 7);
      const [source, target] = [await overview(from), await overview(far)];
      const answer = await office.patch(`/students/${id}`, { classId: far, disabled: true });
      expect(answer.data).toMatchObject({ classId: far, disabled: true });

      const place = {
        classId: far,
        className: 'Class A',
        gradeId: school.grades[1].id,
        gradeName: 'Grade 2',
      };
      const student = await read();
      expect(student).toMatchObject({
        ...place,
        totalScore: 13,
        addScore: 17,
        deductScore: -4,
        scoreCount: 4,
      });
      expect(student.recentScores).toHaveLength(4);
      for (const record of student.recentScores) expect(record).toMatchObject(place);
      expect((await office.get(`/scores?userId=${id}&classId=${far}`)).data).toMatchObject({ total: 4 });
      expect((await office.get(`/scores?userId=${id}&classId=${from}`)).data).toMatchObject({ total: 0 });

      const moved = { totalScore: 13, addScore: 17, deductScore: -4, recordCount: 4, todayRecordCount: 2 };
      const [left, reached] = [await overview(from), await overview(far)];
      for (const [name, by] of Object.entries(moved)) {
        const key = name as keyof typeof moved;
        expect([key, left.scores[key]]).toEqual([key, source.scores[key] - by]);
        expect([key, reached.scores[key]]).toEqual([key, target.scores[key] + by]);
      }
      expect(left.structure.studentCount).toBe(source.structure.studentCount - 1);
      expect(reached.structure.studentCount).toBe(target.structure.studentCount + 1);
      expect(reached.structure.disabledStudentCount).toBe(target.structure.disabledStudentCount + 1);
      await test.expectProven();
    });
  });

  describe('deleted by the external API', () => {
    it('is returned, and its records are deleted', async () => {
      await give(10, -3);
      const logId = (await read()).recentScores[0]?.id;
      const before = await overview(from);
      const records = ((await office.get('/scores')).data as { total: number }).total;
      const answer = await office.delete(`/students/${id}?confirm=true`);
      expect(answer).toMatchObject({ status: 200, code: 0 });
      expect(answer.data).toEqual({ id, username, classId: from });

      expect((await office.get(`/students/${id}`)).code).toBe(40401);
      expect((await office.get(`/students?keyword=${username}`)).data).toMatchObject({ total: 0 });
      expect((await office.get(`/scores?userId=${id}`)).data).toMatchObject({ list: [], total: 0 });
      expect((await office.get('/scores')).data).toMatchObject({ total: records - 2 });
      expect((await office.delete(`/scores/${logId}`)).code).toBe(40401);
      expect(await overview(from)).toMatchObject({
        structure: { studentCount: before.structure.studentCount - 1 },
        scores: { totalScore: before.scores.totalScore - 7, recordCount: before.scores.recordCount - 2 },
      });
      await test.expectProven();
    });

    it('is deleted with its revoked records', async () => {
      await give(5);
      await office.delete(`/scores/${(await read()).recentScores[0]?.id}`);
      expect((await office.delete(`/students/${id}?confirm=true`)).code).toBe(0);
      await test.expectProven();
    });
  });
});

/** A new field of the contract does not compile until it is listed here. */
describe('Every student field of the contract', () => {
  type Operations = ExternalOperations & InternalOperations;
  type Entry = Required<Static<typeof StudentBatchEntry>>;
  type Change = Required<Body<Operations['updateStudent']>> &
    Required<Omit<Body<Operations['updateUser']>, 'password' | 'email'>>;
  const { schoolDb } = school;
  const apis = {
    external: { path: '/students', entries: 'batch', chosen: {} },
    internal: { path: '/users', entries: 'students', chosen: { schoolDb } },
  };

  it.each(['external', 'internal'] as const)('is stored by the %s API', async (api) => {
    const { path, entries, chosen } = apis[api];
    const client = api === 'external' ? office : await test.signIn();
    const numbersOf = (name: string) => ({ externalId: `${api} ${name}`, cardNumber: `00 ${api} ${name}` });
    const entry: Entry = { username: `${api}.one`, actualName: 'Anna', classId: from, ...numbersOf('one') };
    const several = { ...entry, username: `${api}.several`, ...numbersOf('several') };
    const one = await client.post(path, { ...chosen, ...entry, password: 'secret-password' });
    expect(one).toMatchObject({ status: 200, data: entry });
    const batch = await client.post(path, { ...chosen, [entries]: [several] });
    const id = (batch.data as BulkStudents).details[0]?.id;
    expect((await office.get(`/students/${id}`)).data).toMatchObject(several);

    const place = { classId: near, disabled: true };
    const change: Change = { username: `${api}.new`, actualName: 'Bo', ...place, ...numbersOf('new') };
    const changed = await client.patch(`${path}/${id}`, { ...chosen, ...change });
    expect(changed).toMatchObject({ status: 200, data: change });
    expect((await office.get(`/students/${id}`)).data).toMatchObject(change);
  });
});
