import type { BulkStudents } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSampleSchool, openSchool } from '../../../test/test-app.ts';
import { confirmationCheck, verifyPassword } from '../../access/passwords.ts';

const password = 'secret-password';
const asStudent = confirmationCheck('student', 1);

const { test, school, office, gradeHead, teacher } = await openSchool();
const classId = school.grades[0].classes[0].id;
const outsideClassId = school.grades[1].classes[0].id;

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
  async function batch(body: object, by = office): Promise<BulkStudents> {
    const answer = await by.post('/students', body);
    expect(answer).toMatchObject({ status: 200, code: 0 });
    return answer.data as BulkStudents;
  }

  describe('for one student', () => {
    it('returns the student with HTTP 200, and lists it afterwards', async () => {
      const body = { username, password, actualName: '李伟', classId };
      const answer = await office.post('/students', body);
      const { id } = answer.data as { id: number };
      expect(answer).toMatchObject({ status: 200, code: 0 });
      const createdAt = test.clock.now().toISOString();
      const numbers = { externalId: null, cardNumber: null };
      const times = { createdAt, updatedAt: createdAt };
      const identity = { id, username, actualName: '李伟', ...numbers, classId, disabled: false, ...times };
      expect(answer.data).toEqual({ ...identity, passwordEndsAt: null });
      expect((await office.get(`/students/${id}`)).data).toEqual({
        ...identity,
        className: 'Class A',
        gradeId: school.grades[0].id,
        gradeName: 'Grade 1',
        totalScore: 0,
        addScore: 0,
        deductScore: 0,
        scoreCount: 0,
        emailBound: false,
        emailBoundAt: null,
        recentScores: [],
      });
    });

    it('uses the username as the actual name by default', async () => {
      const answer = await office.post('/students', { username: ` ${username} `, password, classId });
      expect(answer.data).toMatchObject({ username, actualName: username });
    });

    it('generates a password by default and returns it once', async () => {
      const { data } = await office.post('/students', { username, classId });
      const { id, initialPassword } = data as { id: number; initialPassword: string };
      expect(initialPassword.length).toBeGreaterThanOrEqual(6);
      expect(await verifyPassword(await storedHash(id), initialPassword, asStudent)).toBe(true);
      const other = await office.post('/students', { username: `${username}b`, classId });
      expect((other.data as { initialPassword: string }).initialPassword).not.toBe(initialPassword);
      const shown = JSON.stringify([
        await office.get(`/students/${id}`),
        await office.get('/students?limit=100'),
        await office.patch(`/students/${id}`, { disabled: false }),
      ]);
      expect(shown).not.toContain(initialPassword);
    });

    it('never returns a given password, and stores only its hash', async () => {
      const own = ' Pass wörd with spaces ';
      const answer = await office.post('/students', { username, password: own, classId });
      expect(answer.data).not.toHaveProperty('initialPassword');
      expect(JSON.stringify(answer)).not.toContain(own);
      const hash = await storedHash((answer.data as { id: number }).id);
      expect(hash).toMatch(/^\$argon2id\$/);
      expect(await verifyPassword(hash, own, asStudent)).toBe(true);
      expect(await verifyPassword(hash, own.trim(), asStudent)).toBe(false);
    });

    it('accepts texts up to their limits after trimming, and answers 40002 to longer ones', async () => {
      const long = '🙂'.repeat(63) + String.fromCharCode(0x4e00 + counter);
      const body = {
        username: `  ${long}  `,
        actualName: `\t${'李'.repeat(100)} `,
        password: 'p'.repeat(128),
      };
      expect((await office.post('/students', { ...body, classId })).data).toMatchObject({
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
        { classId: String(classId) },
      ];
      const before = await totalOf();
      for (const fields of bad) {
        const answer = await office.post('/students', { username, password, classId, ...fields });
        expect([fields, answer.status, answer.code]).toEqual([fields, 400, 40002]);
      }
      expect(await totalOf()).toBe(before);
    });

    it('answers 40901 to an existing username, even of a disabled student or another class', async () => {
      const made = await office.post('/students', { username, password, classId });
      await office.patch(`/students/${(made.data as { id: number }).id}`, { disabled: true });
      for (const place of [classId, outsideClassId]) {
        const answer = await office.post('/students', { username: ` ${username}`, password, classId: place });
        expect(answer).toMatchObject({ status: 409, code: 40901, data: null });
      }
    });

    it('distinguishes usernames by case and by school', async () => {
      await office.post('/students', { username, password, classId });
      expect(
        (await office.post('/students', { username: username.toUpperCase(), password, classId })).code,
      ).toBe(0);
      const other = await createSampleSchool(await test.signIn(), `Other school ${counter}`);
      const answer = await (await other.issue({})).post('/students', {
        username,
        password,
        classId: other.grades[0].classes[0].id,
      });
      expect(answer.code).toBe(0);
    });

    it('frees the username of a deleted student', async () => {
      const first = (await office.post('/students', { username, password, classId })).data as { id: number };
      await office.delete(`/students/${first.id}?confirm=true`);
      const again = await office.post('/students', { username, password, classId });
      expect(again.code).toBe(0);
      expect((again.data as { id: number }).id).not.toBe(first.id);
    });
  });

  describe('for a batch', () => {
    it('returns every entry in order, and wrong entries fail alone', async () => {
      const taken = school.grades[0].classes[0].students[0]?.username as string;
      const names = [1, 2, 3].map((n) => `${username}-${n}`);
      const before = await totalOf();
      const data = await batch(
        {
          classId,
          defaultPassword: password,
          batch: [
            { username: ` ${names[0]} `, actualName: 'First' },
            { username: taken },
            { username: names[1], classId: outsideClassId },
            { username: names[2], classId: 999_999_999 },
            { username: '' },
            { actualName: 'Nobody' },
            { username: names[2], nickname: 'x' },
            { username: names[2], password },
            { username: names[2], classId: 'x' },
            { username: 7 },
            null,
            [],
            'text',
            { username: names[2] },
          ],
        },
        gradeHead,
      );
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
      expect(Number(data.details[0]?.id)).toBeLessThan(Number(data.details[13]?.id));
      expect(await totalOf()).toBe(before + 2);
      expect((await office.get(`/students/${data.details[0]?.id}`)).data).toMatchObject({
        username: names[0],
        actualName: 'First',
        classId,
      });
    });

    it('creates the first of equal usernames', async () => {
      const data = await batch({
        classId,
        defaultPassword: password,
        batch: [
          { username, classId: 999_999_999 },
          { username, actualName: 'winner' },
          { username: ` ${username} `, actualName: 'loser' },
          { username, classId: outsideClassId },
        ],
      });
      expect(data.details.map((detail) => detail.code)).toEqual([40303, 0, 40901, 40901]);
      expect((await office.get(`/students/${data.details[1]?.id}`)).data).toMatchObject({
        actualName: 'winner',
      });
    });

    it('gives all students the default password, or each a generated one that is returned once', async () => {
      const entries = [{ username: `${username}-1` }, { username: `${username}-2` }];
      const generated = await batch({ classId, batch: entries });
      const passwords = generated.details.map((detail) => detail.initialPassword as string);
      expect(new Set(passwords).size).toBe(2);
      for (const [i, detail] of generated.details.entries()) {
        expect(
          await verifyPassword(await storedHash(detail.id as number), passwords[i] as string, asStudent),
        ).toBe(true);
      }
      const given = await batch({
        classId,
        defaultPassword: password,
        batch: entries.map((entry) => ({ username: `${entry.username}x` })),
      });
      for (const detail of given.details) {
        expect(detail).not.toHaveProperty('initialPassword');
        expect(await verifyPassword(await storedHash(detail.id as number), password, asStudent)).toBe(true);
      }
      const failed = await batch({ classId, batch: entries });
      for (const detail of failed.details) expect(detail).not.toHaveProperty('initialPassword');
    });

    it('answers 40003 without entries, or when an entry has no class', async () => {
      const bad = [
        { classId, batch: [] },
        { classId, defaultPassword: password },
        { batch: [{ username }] },
        { batch: [{ username: `${username}-1`, classId }, { username }] },
        { batch: [{ username, classId }, { username: '' }] },
        { batch: [{ username, classId }, 'text'] },
      ];
      const before = await totalOf();
      for (const body of bad) {
        const answer = await office.post('/students', body);
        expect([body, answer.status, answer.code]).toEqual([body, 400, 40003]);
      }
      expect(await totalOf()).toBe(before);
    });

    it('puts each student into the class of the entry, or that of the class credential', async () => {
      const own = { classId: outsideClassId, batch: [{ username, classId }] };
      for (const [body, by] of [
        [own, office],
        [{ batch: [{ username: `${username}b` }] }, teacher],
      ] as const) {
        const data = await batch(body, by);
        expect((await office.get(`/students/${data.details[0]?.id}`)).data).toMatchObject({ classId });
      }
    });

    it('answers 40002 for a wrong field of the batch itself', async () => {
      const entry = { username };
      for (const body of [
        { classId, batch: [entry], defaultPassword: '12345' },
        { classId, batch: [entry], password },
        { classId, batch: [entry], username },
        { classId: 'x', batch: [entry] },
        { classId, batch: entry },
      ]) {
        const answer = await office.post('/students', body);
        expect([answer.status, answer.code]).toEqual([400, 40002]);
      }
    });
  });

  it('keeps the head counts of classes correct', async () => {
    await test.expectProven();
    const { total } = (await office.get(`/students?classId=${classId}`)).data as { total: number };
    expect((await teacher.get('/stats/overview')).data).toMatchObject({ structure: { studentCount: total } });
  });
});
