import type { ScoreLog } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { createAdmin, createStaff } from '../../../test/administrators.ts';
import { putIntoClosedTerm } from '../../../test/closed-term.ts';
import type { AdminClient, CredentialClient } from '../../../test/identities.ts';
import { createSampleSchool, startTestApp } from '../../../test/test-app.ts';

interface Written {
  readonly id: number;
  readonly userId: number;
  readonly username: string;
  readonly classId: number;
  readonly gradeId: number;
  readonly change: number;
  readonly at: string;
  readonly by: 'ofSchool' | 'ofClass' | 'office';
}
const written: Written[] = [];
const revoked = new Set<number>();
const inTerm = new Set<number>();

const test = await startTestApp();
// The records are written before and after midnight, while the session lasts.
test.clock.advance(10 * 3_600_000);
const admin = await test.signIn();
const school = await createSampleSchool(admin);
const other = await createSampleSchool(admin, 'Other School');
const staff = await createStaff(test, school);
const office = await school.issue({ name: 'The office' });

let n = 0;
for (const round of [0, 1, 2]) {
  for (const grade of school.grades) {
    for (const place of grade.classes) {
      for (const student of place.students) {
        n++;
        const change = [3, -2, 0, 1][n % 4] as number;
        const ownClass = place === school.grades[0].classes[0];
        const by = n % 2 === 0 ? 'office' : ownClass && n % 3 === 0 ? 'ofClass' : 'ofSchool';
        const id = await write(by, student.id, change);
        const { id: classId, gradeId } = place;
        const at = test.clock.now().toISOString();
        written.push({
          id,
          userId: student.id,
          username: student.username,
          classId,
          gradeId,
          change,
          at,
          by,
        });
      }
    }
    test.clock.advance(1.5 * 3_600_000 + round);
  }
}
const take = async (records: readonly Written[], by: AdminClient | CredentialClient) => {
  for (const { id } of records) {
    const path = by === office ? `/scores/${id}` : `/scores/logs/${id}?schoolDb=${school.schoolDb}`;
    expect((await by.delete(path)).status).toBe(200);
  }
  return records.map((record) => record.id);
};
const [first] = school.grades;
const own = written.filter((record) => record.classId === first.classes[0].id);
const otherGrade = written.filter((record) => record.gradeId !== first.id);
for (const id of await take([...own.slice(0, 2), ...otherGrade.slice(0, 1)], staff.ofSchool)) revoked.add(id);
test.clock.advance(1_000);
for (const id of await take(own.slice(2, 3), office)) revoked.add(id);
const closing = async (records: readonly Written[], classId: number) => {
  const ids = await take(records, staff.ofSchool);
  for (const id of ids) inTerm.add(id);
  return putIntoClosedTerm(test, { schoolId: school.id, classId }, ids);
};
const termId = await closing(own.slice(3, 6), first.classes[0].id);
await closing(otherGrade.slice(1, 3), school.grades[1].classes[0].id);
const termOfGoneClass = await closing(otherGrade.slice(3, 4), school.grades[1].classes[0].id);
await test.database.db
  .updateTable('term')
  .set({ class_id: null })
  .where('id', '=', termOfGoneClass)
  .execute();

async function write(by: Written['by'], userId: number, scoreChange: number): Promise<number> {
  if (by === 'office') return office.give(userId, scoreChange, 'listed');
  const body = { userId, scoreChange, description: 'listed' };
  const { data } = await staff[by].post('/scores/add', { schoolDb: school.schoolDb, ...body });
  return (data as { log: { id: number } }).log.id;
}

const list = (query = '', by: AdminClient = staff.ofSchool) =>
  by.get(`/scores/logs?schoolDb=${school.schoolDb}&${query}`);
const idsOf = (answer: { data: unknown }) => (answer.data as ScoreLog[]).map((log) => log.id);
const isLive = ({ id }: Written) => !revoked.has(id) && !inTerm.has(id);
const newestFirst = (records: readonly Written[]) =>
  records.toSorted((a, b) => (a.at === b.at ? b.id - a.id : a.at < b.at ? 1 : -1)).map((record) => record.id);
const byOf = (record: Written) => record.by;

describe('GET /scores/logs', () => {
  it('lists the live records of the range, newest first, with the total', async () => {
    const ranges: [AdminClient, (record: Written) => boolean][] = [
      [admin, () => true],
      [staff.ofSchool, () => true],
      [staff.ofGrade, ({ gradeId }) => gradeId === school.grades[0].id],
      [staff.ofClass, ({ classId }) => classId === school.grades[0].classes[0].id],
    ];
    for (const [by, sees] of ranges) {
      const expected = newestFirst(written.filter((record) => isLive(record) && sees(record)));
      const answer = await list('', by);
      expect(idsOf(answer)).toEqual(expected);
      expect(answer.headers['x-total-count']).toBe(String(expected.length));
    }
  });

  it('names the author of each record: an administrator or a credential', async () => {
    const logs = (await list()).data as ScoreLog[];
    const authors = {
      ofSchool: { type: 'admin', id: staff.ofSchool.id, name: staff.ofSchool.username },
      ofClass: { type: 'admin', id: staff.ofClass.id, name: staff.ofClass.username },
      office: { type: 'credential', id: office.id, name: 'The office' },
    };
    expect(new Set(written.filter(isLive).map(byOf)).size).toBe(3);
    for (const record of written.filter(isLive)) {
      const log = logs.find(({ id }) => id === record.id);
      expect(log).toMatchObject({
        userId: record.userId,
        username: record.username,
        classId: record.classId,
        gradeId: record.gradeId,
        scoreChange: record.change,
        description: 'listed',
        createdAt: record.at,
        author: authors[record.by],
        termId: null,
        revokedAt: null,
        revokedBy: null,
      });
    }
  });

  it('keeps the id of a deleted author without a name', async () => {
    const leaver = await createAdmin(test, { username: 'leaver', role: 'school_admin', schoolId: other.id });
    const userId = other.grades[0].classes[0].students[0]?.id;
    await leaver.post('/scores/add', { schoolDb: other.schoolDb, userId, scoreChange: 1 });
    await test.database.db.deleteFrom('admin').where('id', '=', leaver.id).execute();
    const answer = await admin.get(`/scores/logs?schoolDb=${other.schoolDb}`);
    expect(answer.data).toMatchObject([{ author: { type: 'admin', id: leaver.id, name: null } }]);
  });

  it('returns 50 by default and 500 at most, in pages without overlap', async () => {
    const [student] = other.grades[1].classes[1].students;
    const items = Array.from({ length: 180 }, () => ({ userId: student?.id, scoreChange: 1 }));
    for (let i = 0; i < 3; i++) await admin.post('/scores/batch', { schoolDb: other.schoolDb, items });
    const query = `/scores/logs?schoolDb=${other.schoolDb}&userId=${student?.id}`;
    const lengths = [];
    for (const more of ['', '&limit=500', '&limit=100000', '&page=11', '&page=12', '&page=2&limit=500']) {
      const answer = await admin.get(query + more);
      expect(answer.headers['x-total-count']).toBe('540');
      lengths.push(idsOf(answer).length);
    }
    expect(lengths).toEqual([50, 500, 500, 40, 0, 40]);
    const pages = await Promise.all([1, 2, 3].map((page) => admin.get(`${query}&limit=200&page=${page}`)));
    const ids = pages.flatMap(idsOf);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(new Set(ids).size).toBe(540);
  });
});

const filters: Record<string, [() => string, (record: Written) => boolean]> = {
  'one student': [() => `userId=${written[0]?.userId}`, ({ userId }) => userId === written[0]?.userId],
  'one class': [() => `classId=${school.grades[0].classes[1].id}`, ({ username }) => /^s1b/.test(username)],
  'one grade': [() => `gradeId=${school.grades[1].id}`, ({ username }) => /^s2/.test(username)],
  'plus points': [() => 'type=plus', ({ change }) => change > 0],
  'minus points': [() => 'type=minus', ({ change }) => change < 0],
  'since an instant': [() => `startDate=${written[20]?.at}`, ({ at }) => at >= (written[20]?.at as string)],
  'until a day': [() => 'endDate=2026-09-15', ({ at }) => at <= '2026-09-15T23:59:59.999Z'],
  'a part of a username': [() => 'search=2A', ({ username }) => username.includes('2a')],
  'a part of a username and minus points': [
    () => 'search=a1&type=minus',
    ({ username, change }) => username.includes('a1') && change < 0,
  ],
  'a part of a username in a class': [
    () => `search=3&classId=${school.grades[0].classes[1].id}`,
    ({ username }) => username === 's1b3',
  ],
  'an unknown name': [() => 'search=nobody', () => false],
  'a percent sign': [() => 'search=%25', () => false],
  'an underscore': [() => 'search=s_a', () => false],
  'an empty name': [() => 'search=', () => true],
  'an administrator who wrote them': [() => `adminId=${staff.ofClass.id}`, ({ by }) => by === 'ofClass'],
  'a credential that wrote them': [() => `tokenId=${office.id}`, ({ by }) => by === 'office'],
  'a credential and a class': [
    () => `tokenId=${office.id}&classId=${school.grades[1].classes[0].id}`,
    ({ by, username }) => by === 'office' && /^s2a/.test(username),
  ],
  'a credential, a name and plus points': [
    () => `tokenId=${office.id}&search=b&type=plus`,
    ({ by, username, change }) => by === 'office' && username.includes('b') && change > 0,
  ],
  'an administrator and a credential': [
    () => `adminId=${staff.ofClass.id}&tokenId=${office.id}`,
    () => false,
  ],
  'an unknown author': [() => 'adminId=999999', () => false],
  'live ones, said so': [() => 'state=live', () => true],
};

describe('Filter of GET /scores/logs', () => {
  it.each(Object.keys(filters))('returns the matching records and their total: %s', async (name) => {
    const [query, keep] = filters[name] as (typeof filters)[string];
    const expected = newestFirst(written.filter((record) => isLive(record) && keep(record)));
    const answer = await list(query());
    expect(idsOf(answer)).toEqual(expected);
    expect(answer.headers['x-total-count']).toBe(String(expected.length));
    const page = await list(`${query()}&limit=3&page=2`);
    expect(idsOf(page)).toEqual(expected.slice(3, 6));
    expect(page.headers['x-total-count']).toBe(String(expected.length));
  });

  it('by name finds few and many students alike', async () => {
    const classId = other.grades[1].classes[0].id;
    const theirs = await other.issue({});
    const batch = Array.from({ length: 110 }, (_, i) => ({ username: `many.${i}` }));
    const made = await theirs.post('/students', { classId, batch, defaultPassword: 'secret-password' });
    const { details } = made.data as { details: { id: number }[] };
    for (const scoreChange of [2, -1]) {
      const items = details.map(({ id }) => ({ userId: id, scoreChange }));
      await theirs.post('/scores', { items: items.slice(0, 100) });
    }
    const count = async (query: string) => {
      const answer = await admin.get(`/scores/logs?schoolDb=${other.schoolDb}&limit=30&${query}`);
      for (const log of answer.data as ScoreLog[]) expect(log.username).toMatch(/^many/);
      return [answer.headers['x-total-count'], idsOf(answer).length];
    };
    expect(await count('search=many')).toEqual(['200', 30]);
    expect(await count('search=many&type=minus')).toEqual(['100', 30]);
    expect(await count('search=MANY.7')).toEqual(['22', 22]);
    expect(await count('search=many.10')).toEqual(['2', 2]);
  });

  it('with an end before the start answers 400', async () => {
    const query = 'startDate=2026-09-02&endDate=2026-09-01';
    expect(await list(query)).toMatchObject({ status: 400, success: false, data: null });
  });

  it('by a term of a deleted class answers 403 below the whole school', async () => {
    expect(await list(`term=${termOfGoneClass}`, staff.ofGrade)).toMatchObject({ status: 403, data: null });
    expect(idsOf(await list(`term=${termOfGoneClass}`))).toHaveLength(1);
  });
});

describe('GET /scores/logs?state=revoked', () => {
  it('lists the revoked records of the range, with the revoker and the time', async () => {
    const all = newestFirst(written.filter(({ id }) => revoked.has(id)));
    const answer = await list('state=revoked');
    expect(idsOf(answer)).toEqual(all);
    expect(answer.headers['x-total-count']).toBe('4');
    const revokers = (answer.data as ScoreLog[]).map((log) => log.revokedBy);
    expect(revokers.filter((by) => by?.type === 'credential')).toEqual([
      { type: 'credential', id: office.id, name: 'The office' },
    ]);
    expect(revokers.filter((by) => by?.type === 'admin')).toEqual(
      Array.from({ length: 3 }, () => ({
        type: 'admin',
        id: staff.ofSchool.id,
        name: staff.ofSchool.username,
      })),
    );
    for (const log of answer.data as ScoreLog[]) {
      expect(log.revokedAt).toMatch(/^2026-09-1\dT/);
      expect(log.termId).toBeNull();
    }
    const ofClass = await list('state=revoked', staff.ofClass);
    expect(idsOf(ofClass)).toHaveLength(3);
    expect(ofClass.headers['x-total-count']).toBe('3');
  });

  it('accepts the other filters', async () => {
    const own = written.filter(({ id }) => revoked.has(id));
    for (const [query, keep] of [
      [`userId=${own[0]?.userId}`, (record: Written) => record.userId === own[0]?.userId],
      ['type=minus', ({ change }: Written) => change < 0],
      ['search=2a', ({ username }: Written) => username.includes('2a')],
      [`tokenId=${office.id}`, ({ by }: Written) => by === 'office'],
      [`gradeId=${school.grades[1].id}`, ({ gradeId }: Written) => gradeId === school.grades[1].id],
    ] as const) {
      const expected = newestFirst(own.filter(keep));
      const answer = await list(`state=revoked&${query}`);
      expect([query, idsOf(answer)]).toEqual([query, expected]);
      expect(answer.headers['x-total-count']).toBe(String(expected.length));
    }
  });
});

describe('GET /scores/logs?term', () => {
  it('lists all records of the term for everyone whose range covers its class', async () => {
    const own = written.filter(
      ({ id, classId }) => inTerm.has(id) && classId === school.grades[0].classes[0].id,
    );
    for (const by of [admin, staff.ofSchool, staff.ofGrade, staff.ofClass]) {
      for (const state of ['', '&state=live']) {
        const answer = await list(`term=${termId}${state}`, by);
        expect(idsOf(answer)).toEqual(newestFirst(own));
        expect(answer.headers['x-total-count']).toBe('3');
        for (const log of answer.data as ScoreLog[]) expect(log).toMatchObject({ termId, revokedAt: null });
      }
    }
  });

  it('stays complete when a student moves to another class', async () => {
    const mover = school.grades[0].classes[0].students[0] as { id: number };
    const back = school.grades[0].classes[0].id;
    await office.patch(`/students/${mover.id}`, { classId: school.grades[1].classes[0].id });
    expect((await list(`term=${termId}`, staff.ofClass)).headers['x-total-count']).toBe('3');
    await office.patch(`/students/${mover.id}`, { classId: back });
  });

  it('accepts the other filters, and answers 400 to state=revoked', async () => {
    const own = written.filter(
      ({ id, classId }) => inTerm.has(id) && classId === school.grades[0].classes[0].id,
    );
    const expected = newestFirst(own.filter(({ username }) => username.includes('1a2')));
    expect(expected.length).toBeGreaterThan(0);
    expect(idsOf(await list(`term=${termId}&search=1A2`))).toEqual(expected);
    expect(await list(`term=${termId}&state=revoked`)).toMatchObject({ status: 400, data: null });
  });
});
