import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ExternalAnswer } from '../../test/identities.ts';
import { openSchool, type SampleClass } from '../../test/test-app.ts';

let names = 0;

const keyed = (key: string) => ({ 'idempotency-key': key });
const studentOf = (place: SampleClass, index = 0) => place.students[index]?.id as number;
const newName = () => `new.${++names}`;

const newRecord = (userId = studentOf(classA)) => office.give(userId);

async function scoreCount(userId: number): Promise<number> {
  return ((await office.get(`/students/${userId}`)).data as { scoreCount: number }).scoreCount;
}

async function studentTotal(): Promise<number> {
  return ((await office.get('/students')).data as { total: number }).total;
}

function expectReplay(again: ExternalAnswer, first: ExternalAnswer): void {
  expect(first).toMatchObject({ status: 200, code: 0 });
  expect(first.headers['idempotency-replayed']).toBeUndefined();
  expect(first.headers['original-request-id']).toBeUndefined();
  expect(again.status).toBe(200);
  const { code, message, data } = first;
  expect({ code: again.code, message: again.message, data: again.data }).toEqual({ code, message, data });
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect(again.headers['original-request-id']).toBe(first.requestId);
  expect(again.requestId).not.toBe(first.requestId);
  expect(again.headers['x-request-id']).toBe(again.requestId);
}

const { test, school, office } = await openSchool();
const [classA, classB] = school.grades[0].classes;

describe('Repeated idempotency key', () => {
  it('a repeated key replays the answer to the same credential, in either of its headers', async () => {
    const body = { userId: studentOf(classA), scoreChange: 1 };
    const first = await office.post('/scores', body, keyed('both-headers'));
    const headers = { 'x-api-token': office.token, ...keyed('both-headers') };
    const again = await test.anonymous.external.post('/scores', body, headers);
    expectReplay(again, first);
  });

  it('a repeated key replays the stored answer even for another body', async () => {
    const userId = studentOf(classA);
    const first = await office.post('/scores', { userId, scoreChange: 2 }, keyed('other-body'));
    const before = await scoreCount(userId);
    const again = await office.post('/scores', { userId, scoreChange: 9 }, keyed('other-body'));
    expectReplay(again, first);
    expect(await scoreCount(userId)).toBe(before);
  });

  it('a repeated key replays the answer even after the class, student or template in the request was deleted', async () => {
    const place = await office.post('/classes', { name: 'Short-lived', gradeId: classA.gradeId });
    const classId = (place.data as { id: number }).id;
    const template = await office.post('/templates', { name: 'Brief', scoreChange: 4, classId });
    const student = { username: newName(), classId };
    const made = await office.post('/students', student, keyed('gone-student'));
    const userId = (made.data as { id: number }).id;
    const single = { userId, scoreChange: 1 };
    const byTemplate = { templateId: (template.data as { id: number }).id, items: [{ userId }] };
    const firstSingle = await office.post('/scores', single, keyed('gone-single'));
    const firstTemplate = await office.post('/scores', byTemplate, keyed('gone-template'));
    expect(await office.delete(`/classes/${classId}?confirm=true`)).toMatchObject({ code: 0 });

    expectReplay(await office.post('/students', student, keyed('gone-student')), made);
    expectReplay(await office.post('/scores', single, keyed('gone-single')), firstSingle);
    expectReplay(await office.post('/scores', byTemplate, keyed('gone-template')), firstTemplate);
  });

  it('a repeated key answers 40302 to a credential that lost the permission', async () => {
    const admin = await test.signIn();
    const clerk = await school.issue({ scopes: ['scores:write', 'scores:read'] });
    const body = { userId: studentOf(classA), scoreChange: 1 };
    const first = await clerk.post('/scores', body, keyed('lost-permission'));
    await admin.patch(`/api-tokens/${clerk.id}`, { scopes: ['scores:read'] });
    expect(await clerk.post('/scores', body, keyed('lost-permission'))).toMatchObject({ code: 40302 });
    await admin.patch(`/api-tokens/${clerk.id}`, { scopes: ['scores:write'] });
    expectReplay(await clerk.post('/scores', body, keyed('lost-permission')), first);
  });
});

describe('Endpoint of a key', () => {
  it('a key belongs to a method and path, and answers 40901 at other endpoints', async () => {
    const userId = studentOf(classB);
    const logId = await newRecord(userId);
    const first = await office.post('/scores', { userId, scoreChange: 1 }, keyed('elsewhere'));
    expect(first.code).toBe(0);
    const before = { students: await studentTotal(), scores: await scoreCount(userId) };
    const student = { username: newName(), classId: classB.id };
    for (const answer of [
      await office.post('/students', student, keyed('elsewhere')),
      await office.delete(`/scores/${logId}`, keyed('elsewhere')),
    ]) {
      expect(answer).toMatchObject({ status: 409, code: 40901, data: null });
      expect(answer.message).toMatch(/used on another endpoint/);
      expect(answer.headers['idempotency-replayed']).toBeUndefined();
    }
    expect({ students: await studentTotal(), scores: await scoreCount(userId) }).toEqual(before);
    expectReplay(await office.post('/scores', { userId, scoreChange: 1 }, keyed('elsewhere')), first);
  });

  it('the key of a revocation belongs to the id of the revoked record', async () => {
    const [one, other] = [await newRecord(), await newRecord()];
    const first = await office.delete(`/scores/${one}`, keyed('one-record'));
    const refused = await office.delete(`/scores/${other}`, keyed('one-record'));
    expect(refused).toMatchObject({ status: 409, code: 40901 });
    expectReplay(await office.delete(`/scores/${one}`, keyed('one-record')), first);
    expect(await office.delete(`/scores/${other}`)).toMatchObject({ code: 0 });
  });

  it('a key belongs to the same endpoint for any spelling of the path and any query', async () => {
    const logId = await newRecord();
    const first = await office.delete(`/scores/${logId}`, keyed('spelling'));
    expectReplay(await office.delete(`/scores/${logId}?_=7`, keyed('spelling')), first);
    expectReplay(await office.delete(`/%73cores/${logId}`, keyed('spelling')), first);
    expectReplay(await office.delete(`/scores/00${logId}`, keyed('spelling')), first);
  });
});

describe('Failed request', () => {
  it('does not use up the key of a score write', async () => {
    const userId = studentOf(classB);
    const before = await scoreCount(userId);
    const attempts: [object, number][] = [
      [{ userId: 999_999_999, scoreChange: 1 }, 40401],
      [{ userId, scoreChange: 10_001 }, 40002],
      [{ userId }, 40001],
      [{ templateId: 999_999_999, items: [{ userId }] }, 40401],
      [{ items: [] }, 40003],
      [{ userId, username: 'somebody else', scoreChange: 1 }, 40002],
    ];
    for (const [body, code] of attempts) {
      expect(await office.post('/scores', body, keyed('failed-score'))).toMatchObject({ code });
    }
    const first = await office.post('/scores', { userId, scoreChange: 1 }, keyed('failed-score'));
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(first.code).toBe(0);
    expect(await scoreCount(userId)).toBe(before + 1);
  });

  it('does not use up the key of a revocation', async () => {
    const logId = await newRecord(studentOf(school.grades[1].classes[0]));
    const teacher = await school.issue({ scopeType: 'class', scopeClassId: classA.id });
    const path = `/scores/${logId}`;
    expect(await teacher.delete(path, keyed('failed-revoke'))).toMatchObject({ code: 40303 });
    const own = await newRecord();
    expect(await teacher.delete(`/scores/${own}`, keyed('failed-revoke'))).toMatchObject({ code: 0 });
    expect(await office.delete('/scores/999999999', keyed('missing-record'))).toMatchObject({ code: 40401 });
    expect(await office.delete(path, keyed('missing-record'))).toMatchObject({ code: 0 });
  });
});

describe('Bulk request', () => {
  const students = () => {
    const batch = [{ username: newName() }, { username: classA.students[0]?.username }];
    return { classId: classA.id, batch };
  };
  const known = () => ({ userId: studentOf(classA), scoreChange: 1 });
  const unknown = { userId: 999_999_999, scoreChange: 1 };

  it.each<[string, string, () => object, successCount: number, failedCount: number]>([
    ['some failed scores', '/scores', () => ({ items: [known(), unknown] }), 1, 1],
    ['only failed scores', '/scores', () => ({ items: [unknown, { userId: 'no id' }] }), 0, 2],
    ['some failed students', '/students', students, 1, 1],
  ])('a bulk request with %s uses up its key', async (what, path, bodyOf, successCount, failedCount) => {
    const body = bodyOf();
    const first = await office.post(path, body, keyed(what));
    expect(first.data).toMatchObject({ successCount, failedCount });
    expectReplay(await office.post(path, body, keyed(what)), first);
  });
});

describe('Idempotency key', () => {
  const write = (key: string, by = office) =>
    by.post('/scores', { userId: studentOf(classB), scoreChange: 1 }, keyed(key));

  it('an idempotency key is trimmed', async () => {
    const first = await write('  with space inside  ');
    expectReplay(await write('with space inside'), first);
    expectReplay(await write('\twith space inside '), first);
  });

  it('idempotency keys are distinguished by case and inner spaces', async () => {
    const before = await scoreCount(studentOf(classB));
    for (const key of ['Exact', 'exact', 'ex act', 'ex  act']) await write(key);
    expect(await scoreCount(studentOf(classB))).toBe(before + 4);
  });

  it('an idempotency key answers 40002 when empty or longer than 128 characters, and nothing is done', async () => {
    const before = await scoreCount(studentOf(classB));
    for (const key of ['', '   ', 'k'.repeat(129)]) {
      expect(await write(key)).toMatchObject({ status: 400, code: 40002, data: null });
    }
    expect(await scoreCount(studentOf(classB))).toBe(before);
    const longest = 'k'.repeat(128);
    const first = await write(longest);
    expectReplay(await write(`  ${longest}  `), first);
  });

  it('endpoints that take no idempotency key ignore the header', async () => {
    const used = randomUUID();
    expect((await write(used)).code).toBe(0);
    for (const key of [used, '', 'k'.repeat(129)]) {
      const calls = [
        office.get('/ping', keyed(key)),
        office.get('/scores', keyed(key)),
        office.patch(`/students/${studentOf(classA)}`, { disabled: false }, keyed(key)),
        office.post('/grades', { name: `Grade ${++names}` }, keyed(key)),
        office.post('/templates', { name: `Template ${++names}`, scoreChange: 1 }, keyed(key)),
      ];
      for (const answer of await Promise.all(calls)) {
        expect(answer).toMatchObject({ status: 200, code: 0 });
        expect(answer.headers['idempotency-replayed']).toBeUndefined();
      }
    }
  });
});
