import type {
  Body,
  BulkStudents,
  ExternalOperations,
  InternalOperations,
  Overview,
  StudentBatchEntry,
  StudentDetail,
  StudentIdentity,
} from '@classledger/contract';
import type { Static } from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LockedRows } from '../../../test/locked-rows.ts';
import { openSchool } from '../../../test/test-app.ts';
import { confirmationCheck, verifyPassword } from '../../access/passwords.ts';

const { test, school, office, gradeHead, teacher } = await openSchool();
const from = school.grades[0].classes[0].id;
const near = school.grades[0].classes[1].id;
const far = school.grades[1].classes[0].id;
const teacherElsewhere = await school.issue({ scopeType: 'class', scopeClassId: far });

afterEach(() => test.expectVerifiedLedger());

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
  const overview = async (by = teacher) => (await by.get('/stats/overview')).data as Overview;
  async function give(...changes: number[]): Promise<void> {
    for (const scoreChange of changes) {
      expect((await office.post('/scores', { userId: id, scoreChange })).code).toBe(0);
    }
  }

  describe('changed by the external API', () => {
    it('changing a student by the external API returns all fields, and keeps fields that the request omits', async () => {
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

    it('a student is disabled and enabled without locking the daily sums', async () => {
      await give(2);
      const held = await LockedRows.inTable(test, 'class_day', from, 'class_id');
      for (const disabled of [true, false]) {
        expect((await office.patch(`/students/${id}`, { disabled })).data).toMatchObject({ disabled });
      }
      await held.release();
    });

    it('a disabled student can be given points', async () => {
      await office.patch(`/students/${id}`, { disabled: true });
      await give(5);
      expect(await read()).toMatchObject({ disabled: true, totalScore: 5, scoreCount: 1 });
    });
  });

  describe('moved to another class', () => {
    it('a student who moves to another class takes the records along: both classes and every list show it', async () => {
      await give(10, -4);
      test.clock.advance(86_400_000);
      await give(0, 7);
      const [source, target] = [await overview(), await overview(teacherElsewhere)];
      const answer = await office.patch(`/students/${id}`, { classId: far, disabled: true });
      expect(answer.data).toMatchObject({ classId: far, disabled: true });

      const grade = { gradeId: school.grades[1].id, gradeName: 'Grade 2' };
      const place = { classId: far, className: 'Class A', ...grade };
      const student = await read();
      const totals = { totalScore: 13, addScore: 17, deductScore: -4 };
      expect(student).toMatchObject({ ...place, ...totals, scoreCount: 4 });
      expect(student.recentScores).toHaveLength(4);
      for (const record of student.recentScores) expect(record).toMatchObject(place);
      expect((await office.get(`/scores?userId=${id}&classId=${far}`)).data).toMatchObject({ total: 4 });
      expect((await office.get(`/scores?userId=${id}&classId=${from}`)).data).toMatchObject({ total: 0 });

      const moved = { ...totals, recordCount: 4, todayRecordCount: 2 };
      const [left, reached] = [await overview(), await overview(teacherElsewhere)];
      for (const key of Object.keys(moved) as (keyof typeof moved)[]) {
        expect([key, left.scores[key]]).toEqual([key, source.scores[key] - moved[key]]);
        expect([key, reached.scores[key]]).toEqual([key, target.scores[key] + moved[key]]);
      }
      expect(left.structure.studentCount).toBe(source.structure.studentCount - 1);
      expect(reached.structure.studentCount).toBe(target.structure.studentCount + 1);
      expect(reached.structure.disabledStudentCount).toBe(target.structure.disabledStudentCount + 1);
    });
  });

  it('deleting a student deletes live and revoked records, and the class loses the points', async () => {
    await give(10, -3, 8);
    const [revoked, kept] = (await read()).recentScores;
    await office.delete(`/scores/${revoked?.id}`);
    const before = await overview();
    const answer = await office.delete(`/students/${id}?confirm=true`);
    expect(answer.data).toEqual({ id, username, classId: from });
    expect((await office.delete(`/scores/${kept?.id}`)).code).toBe(40401);
    expect(await overview()).toMatchObject({
      structure: { studentCount: before.structure.studentCount - 1 },
      scores: { totalScore: before.scores.totalScore - 7, recordCount: before.scores.recordCount - 2 },
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

  it.each(['external', 'internal'] as const)('the %s API stores every field of a student', async (api) => {
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

const password = 'secret-password';
const asStudent = confirmationCheck('student', 1);

describe('POST /students', () => {
  let counter = 0;
  let username: string;

  beforeEach(() => {
    username = `new.${++counter}`;
  });

  const totalOf = async () => ((await office.get('/students')).data as { total: number }).total;
  const storedHash = async (id: number) => {
    const stored = test.database.db
      .selectFrom('student')
      .where('id', '=', id)
      .select('password_hash as hash');
    return (await stored.executeTakeFirstOrThrow()).hash;
  };
  async function create(body: object, by = office): Promise<BulkStudents> {
    const answer = await by.post('/students', body);
    expect(answer).toMatchObject({ status: 200, code: 0 });
    return answer.data as BulkStudents;
  }

  describe('for one student', () => {
    it('a new student’s actual name is the username by default', async () => {
      const answer = await office.post('/students', { username: ` ${username} `, password, classId: from });
      expect(answer.data).toMatchObject({ username, actualName: username });
    });

    it('the API never returns a given password, and stores only its hash', async () => {
      const own = ' Pass wörd with spaces ';
      const answer = await office.post('/students', { username, password: own, classId: from });
      expect(answer.data).not.toHaveProperty('initialPassword');
      expect(JSON.stringify(answer)).not.toContain(own);
      const hash = await storedHash((answer.data as { id: number }).id);
      expect(hash).toMatch(/^\$argon2id\$/);
      expect(await verifyPassword(hash, own, asStudent)).toBe(true);
      expect(await verifyPassword(hash, own.trim(), asStudent)).toBe(false);
    });

    it('a new student’s texts are accepted up to their limits after trimming, and longer texts answer 40002', async () => {
      const long = '🙂'.repeat(63) + String.fromCharCode(0x4e00 + counter);
      const body = {
        username: `  ${long}  `,
        actualName: `\t${'李'.repeat(100)} `,
        password: 'p'.repeat(128),
      };
      expect((await office.post('/students', { ...body, classId: from })).data).toMatchObject({
        username: long,
        actualName: '李'.repeat(100),
      });
      const bad = [
        { username: 'x'.repeat(65) },
        { username: '' },
        { username: '   ' },
        { username: 'a\u0007b' },
        { username: 7 },
        { actualName: 'x'.repeat(101) },
        { actualName: ' ' },
        { password: '12345' },
        { password: 'x'.repeat(129) },
        { password: 123456 },
        { classId: 0 },
        { classId: String(from) },
      ];
      const before = await totalOf();
      for (const fields of bad) {
        const answer = await office.post('/students', { username, password, classId: from, ...fields });
        expect([fields, answer.status, answer.code]).toEqual([fields, 400, 40002]);
      }
      expect(await totalOf()).toBe(before);
    });

    it('creating a student with an existing username answers 40901, except in another case of letters', async () => {
      const made = await office.post('/students', { username, password, classId: from });
      await office.patch(`/students/${(made.data as { id: number }).id}`, { disabled: true });
      for (const place of [from, far]) {
        const answer = await office.post('/students', { username: ` ${username}`, password, classId: place });
        expect(answer).toMatchObject({ status: 409, code: 40901, data: null });
      }
      const upper = { username: username.toUpperCase(), password, classId: from };
      expect((await office.post('/students', upper)).code).toBe(0);
    });
  });

  describe('for a batch', () => {
    it('a batch of new students returns every entry in order, and wrong entries do not stop the others', async () => {
      const taken = school.grades[0].classes[0].students[0]?.username as string;
      const names = [1, 2, 3].map((n) => `${username}-${n}`);
      const before = await totalOf();
      const batch = [
        { username: ` ${names[0]} `, actualName: 'First' },
        { username: taken },
        { username: names[1], classId: far },
        { username: names[2], classId: 999_999_999 },
        { username: '' },
        { actualName: 'Nobody' },
        { username: names[2], hobby: 'x' },
        { username: names[2], password },
        { username: names[2], classId: 'x' },
        { username: 7 },
        null,
        [],
        'text',
        { username: names[2] },
      ];
      const data = await create({ classId: from, defaultPassword: password, batch }, gradeHead);
      expect(data).toMatchObject({ successCount: 2, failedCount: 12, totalCount: 14 });
      expect(
        data.details.map((detail) => [detail.index, detail.success, detail.code, detail.username]),
      ).toEqual([
        [0, true, 0, names[0]],
        [1, false, 40901, taken],
        [2, false, 40303, names[1]],
        [3, false, 40303, names[2]],
        [4, false, 40002, ''],
        [5, false, 40001, null],
        [6, false, 40002, names[2]],
        [7, false, 40002, names[2]],
        [8, false, 40002, names[2]],
        [9, false, 40002, null],
        [10, false, 40002, null],
        [11, false, 40002, null],
        [12, false, 40002, null],
        [13, true, 0, names[2]],
      ]);
      for (const detail of data.details) {
        const ends = detail.success ? ['passwordEndsAt'] : [];
        const fields = ['index', 'success', 'code', 'reason', 'username', 'id', ...ends];
        expect(Object.keys(detail)).toEqual(fields);
        expect(detail.reason).toEqual(detail.success ? null : expect.any(String));
        expect(detail.id).toEqual(detail.success ? expect.any(Number) : null);
      }
      expect(await totalOf()).toBe(before + 2);
    });

    it('of equal usernames in a batch, the first student is created', async () => {
      const batch = [
        { username, classId: 999_999_999 },
        { username, actualName: 'winner' },
        { username: ` ${username} `, actualName: 'loser' },
        { username, classId: far },
      ];
      const data = await create({ classId: from, defaultPassword: password, batch });
      expect(data.details.map((detail) => detail.code)).toEqual([40303, 0, 40901, 40901]);
      expect((await office.get(`/students/${data.details[1]?.id}`)).data).toMatchObject({
        actualName: 'winner',
      });
    });

    it('a batch of new students answers 40003 without entries, or when an entry has no class', async () => {
      const bad = [
        { classId: from, batch: [] },
        { classId: from, defaultPassword: password },
        { batch: [{ username }] },
        { batch: [{ username: `${username}-1`, classId: from }, { username }] },
        { batch: [{ username, classId: from }, { username: '' }] },
        { batch: [{ username, classId: from }, 'text'] },
      ];
      const before = await totalOf();
      for (const body of bad) {
        const answer = await office.post('/students', body);
        expect([body, answer.status, answer.code]).toEqual([body, 400, 40003]);
      }
      expect(await totalOf()).toBe(before);
    });

    it('a batch of new students answers 40002 for a wrong field of the batch itself', async () => {
      const entry = { username };
      for (const body of [
        { classId: from, batch: [entry], defaultPassword: '12345' },
        { classId: from, batch: [entry], password },
        { classId: from, batch: [entry], username },
        { classId: 'x', batch: [entry] },
        { classId: from, batch: entry },
      ]) {
        const answer = await office.post('/students', body);
        expect([answer.status, answer.code]).toEqual([400, 40002]);
      }
    });
  });
});
