import type { Seat } from '@classledger/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CredentialClient } from '../../../test/identities.ts';
import {
  createSampleSchool,
  type SampleClass,
  type SampleSchool,
  startTestApp,
} from '../../../test/test-app.ts';

let school: SampleSchool;
let script: CredentialClient;
let klass: SampleClass;
let neighbour: SampleClass;
let schools = 0;

const test = await startTestApp();
const admin = await test.signIn();

beforeEach(async () => {
  school = await createSampleSchool(admin, `School ${++schools}`);
  script = await school.issue({ scopes: ['structure:read', 'structure:write'] });
  [klass, neighbour] = school.grades[0].classes;
});

const student = (i: number, of = klass) => of.students[i] as { id: number; username: string };
const at = (groupIndex: number, row: number, col: number, who: object = {}) => ({
  groupIndex,
  row,
  col,
  ...who,
});
const put = (seats: unknown, classId = klass.id, as = script) =>
  as.put(`/classes/${classId}/seats`, { seats });
const read = async (classId = klass.id) =>
  (await script.get(`/classes/${classId}/seats`)).data as { seats: Seat[]; unseated: number };
const onPages = async (classId = klass.id) =>
  (await admin.get(`/seats/data?schoolDb=${school.schoolDb}&classId=${classId}`)).data;

describe('PUT /classes/:classId/seats', () => {
  it('replaces all seats, returned by group, row and column as in the internal API', async () => {
    await put([at(3, 3, 3, { userId: student(2).id })]);
    await put([at(1, 1, 1)], neighbour.id);
    await (await school.issue({})).patch(`/students/${student(0).id}`, {
      externalId: 'sis-1',
      cardNumber: '0001',
    });
    const answer = await put([
      at(2, 1, 1, { userId: student(1).id, username: student(1).username }),
      at(1, 1, 2, { externalId: 'sis-1', cardNumber: '0001', username: ` ${student(0).username} ` }),
      at(1, 1, 1, { userId: null, username: null }),
    ]);
    const empty = { userId: null, username: null, actualName: null };
    const place = { id: expect.any(Number), classId: klass.id };
    expect(answer).toMatchObject({ status: 200, code: 0 });
    expect(answer.data).toEqual({
      seats: [
        { ...place, ...at(1, 1, 1), ...empty },
        { ...place, ...at(1, 1, 2), ...named(0) },
        { ...place, ...at(2, 1, 1), ...named(1) },
      ],
      unseated: 1,
    });
    expect(await read()).toEqual(answer.data);
    expect(await onPages()).toEqual((answer.data as { seats: Seat[] }).seats);
    expect((await read(neighbour.id)).seats).toHaveLength(1);
    expect(await put([])).toMatchObject({ data: { seats: [], unseated: 3 } });
  });

  it('accepts up to 1,000 seats, and answers 40002 to more', async () => {
    const all = Array.from({ length: 1_000 }, (_, i) =>
      at(1 + (i % 20), 1 + (Math.floor(i / 20) % 20), 1 + Math.floor(i / 400)),
    );
    expect(await put(all)).toMatchObject({ code: 0, message: 'ok' });
    expect((await read()).seats).toHaveLength(1_000);
    expect((await put([...all, at(20, 20, 20)])).code).toBe(40002);
  });

  it('changes nothing when one seat is wrong, and names it', async () => {
    await put([at(1, 1, 1, { userId: student(0).id })]);
    const before = await read();
    const [own, other] = [student(0), student(0, neighbour)];
    const wrong: [code: number, message: string, seats: unknown][] = [
      [40003, 'seats', undefined],
      [40001, 'col', [{ groupIndex: 1, row: 1 }]],
      [40002, 'seats.1', [at(1, 1, 1), at(1, 21, 1)]],
      [40002, 'seats.0', [at(0, 1, 1)]],
      [40002, 'seats.0', ['x']],
      [40002, 'name', [at(1, 1, 1, { name: 'x' })]],
      [40002, 'twice', [at(1, 1, 1), at(2, 1, 1), at(1, 1, 1)]],
      [40002, 'twice', [at(1, 1, 1, { userId: own.id }), at(1, 1, 2, { username: own.username })]],
      [40002, 'not in this class', [at(1, 1, 1, { userId: other.id })]],
      [40002, 'differ', [at(1, 1, 1, { userId: own.id, username: other.username })]],
      [40002, 'differ', [at(1, 1, 1, { username: own.username, cardNumber: '9' })]],
      [40401, 'not found', [at(1, 1, 1, { userId: 999_999_999 })]],
      [40401, 'seats.0', [at(1, 1, 1, { username: 'nobody' })]],
    ];
    for (const [code, message, seats] of wrong) {
      expect([seats, await put(seats)]).toMatchObject([
        seats,
        { code, message: expect.stringContaining(message) },
      ]);
    }
    expect(await read()).toEqual(before);
  });

  it('answers 40901 for a student whose personal data was erased', async () => {
    const { id } = student(0);
    await admin.post(`/users/${id}/erase`, { schoolDb: school.schoolDb });
    expect(await put([at(1, 1, 1, { userId: id })])).toMatchObject({ code: 40901 });
  });

  it('needs structure:write; reading needs structure:read and shows names without students:read', async () => {
    const reader = await school.issue({ scopes: ['structure:read'] });
    expect((await put([], klass.id, reader)).code).toBe(40302);
    const writer = await school.issue({ scopes: ['structure:write', 'students:read'] });
    expect((await put([at(1, 1, 1, { userId: student(0).id })], klass.id, writer)).code).toBe(0);
    expect((await writer.get(`/classes/${klass.id}/seats`)).code).toBe(40302);
    expect((await reader.get(`/classes/${klass.id}/seats`)).data).toMatchObject({ seats: [named(0)] });
  });
});

function named(i: number) {
  const { id, username } = student(i);
  return { userId: id, username, actualName: expect.any(String) };
}
