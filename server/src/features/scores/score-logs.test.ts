import type { ScoreLog } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { createAdmin, openStaffedSchool } from '../../../test/administrators.ts';
import type { AdminClient, InternalAnswer } from '../../../test/identities.ts';
import { putIntoClosedTerm } from '../../../test/stored-rows.ts';
import { TestClock } from '../../../test/test-app.ts';

/** Records of both sides of midnight, by a credential and two administrators: live, revoked and of closed terms. */

// Late enough that the sessions last beyond midnight.
const clock = new TestClock();
clock.advance(10 * 3_600_000);
const { test, admin, school, other, staff } = await openStaffedSchool({}, { clock });
const { schoolDb } = school;
const [firstGrade, secondGrade] = school.grades;
const [classA, classB] = firstGrade.classes;
const [classC] = secondGrade.classes;
const office = await school.issue({ name: 'The office' });

interface Written
  extends Pick<ScoreLog, 'id' | 'userId' | 'username' | 'classId' | 'gradeId' | 'scoreChange' | 'createdAt'> {
  readonly by: keyof typeof authors;
  readonly state: 'live' | 'revoked' | 'term';
}
const authors = {
  ofSchool: { type: 'admin', id: staff.ofSchool.id, name: staff.ofSchool.username },
  ofClass: { type: 'admin', id: staff.ofClass.id, name: staff.ofClass.username },
  office: { type: 'credential', id: office.id, name: 'The office' },
};

async function write(by: Written['by'], userId: number, scoreChange: number): Promise<number> {
  if (by === 'office') return office.give(userId, scoreChange, 'listed');
  const body = { schoolDb, userId, scoreChange, description: 'listed' };
  return (await staff[by].created<{ log: ScoreLog }>('/scores/add', body)).log.id;
}

const pupils = school.grades.flatMap((grade) =>
  grade.classes.flatMap((place) =>
    place.students.map(({ id, username }, i) => ({ userId: id, username, place, grade, i })),
  ),
);
const written: Written[] = [];
for (const [n, { userId, username, place, grade, i }] of [...pupils, ...pupils, ...pupils].entries()) {
  const scoreChange = [3, -2, 0, 1][n % 4] as number;
  const by = (['office', 'ofSchool', place === classA ? 'ofClass' : 'ofSchool'] as const)[i] ?? 'office';
  const closed = place === classA || place === classC ? 'term' : 'live';
  const state = (['live', 'revoked', closed] as const)[(i + Math.floor(n / 12)) % 3] ?? 'live';
  written.push({
    ...{ id: await write(by, userId, scoreChange), userId, username, scoreChange, by, state },
    ...{ classId: place.id, gradeId: grade.id, createdAt: clock.now().toISOString() },
  });
  if (n % 6 === 5) clock.advance(1.5 * 3_600_000 + Math.floor(n / 12));
}
const [byOffice, ...byHead] = written.filter(({ state }) => state !== 'live');
await office.delete(`/scores/${byOffice?.id}`);
for (const { id } of byHead) await staff.ofSchool.delete(`/scores/logs/${id}?schoolDb=${schoolDb}`);

const closeTerm = (classId: number) => {
  const closed = written.filter((record) => record.state === 'term' && record.classId === classId);
  const ids = closed.map(({ id }) => id);
  return putIntoClosedTerm(test, { schoolId: school.id, classId }, ids);
};
const termId = await closeTerm(classA.id);
const termOfDeletedClass = await closeTerm(classC.id);
await test.database.pool.query('UPDATE term SET class_id = NULL WHERE id = $1', [termOfDeletedClass]);

const list = (query = '', by: AdminClient = staff.ofSchool) =>
  by.get(`/scores/logs?schoolDb=${schoolDb}&${query}`);
const idsOf = (answer: { data: unknown }) => (answer.data as ScoreLog[]).map(({ id }) => id);
const newestFirst = (records: readonly Written[]) =>
  records.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id - a.id).map(({ id }) => id);
function expectListed(answer: InternalAnswer, ids: readonly number[]): void {
  expect(idsOf(answer)).toEqual(ids);
  expect(answer.headers['x-total-count']).toBe(String(ids.length));
}

const isLive = ({ state }: Written) => state === 'live';
const isRevoked = ({ state }: Written) => state === 'revoked';
const isOfTerm = ({ state, classId }: Written) => state === 'term' && classId === classA.id;

describe.each([
  ['', isLive],
  ['state=live', isLive],
  ['state=revoked', isRevoked],
  [`term=${termId}`, isOfTerm],
  [`term=${termId}&state=live`, isOfTerm],
] as const)('GET /scores/logs?%s', (state, isListed) => {
  const listed = written.filter(isListed);
  const instant = written[20]?.createdAt as string;

  it.each<[who: string, by: AdminClient, isInRange: (record: Written) => boolean]>([
    ['a super administrator', admin, () => true],
    ['a school administrator', staff.ofSchool, () => true],
    ['a grade administrator', staff.ofGrade, ({ gradeId }) => gradeId === firstGrade.id],
    ['a class administrator', staff.ofClass, ({ classId }) => classId === classA.id],
  ])('lists the records in the range of %s, newest first, with the total', async (_who, by, isInRange) => {
    expectListed(await list(state, by), newestFirst(listed.filter(isInRange)));
  });

  it('shows each record with its author and state', async () => {
    const logs = (await list(state)).data as ScoreLog[];
    expect(new Set(listed.map(({ by }) => by)).size).toBe(3);
    for (const { by, state: its, ...record } of listed) {
      expect(logs.find(({ id }) => id === record.id)).toMatchObject({
        ...{ ...record, description: 'listed', author: authors[by] },
        termId: its === 'term' ? termId : null,
        revokedAt: its === 'revoked' ? clock.now().toISOString() : null,
        revokedBy: its !== 'revoked' ? null : record.id === byOffice?.id ? authors.office : authors.ofSchool,
      });
    }
  });

  it.each<[what: string, query: string, keep: (record: Written) => boolean]>([
    ['one student', `userId=${written[0]?.userId}`, ({ userId }) => userId === written[0]?.userId],
    ['one class', `classId=${classB.id}`, ({ classId }) => classId === classB.id],
    ['one grade', `gradeId=${secondGrade.id}`, ({ gradeId }) => gradeId === secondGrade.id],
    ['plus points', 'type=plus', ({ scoreChange }) => scoreChange > 0],
    ['minus points', 'type=minus', ({ scoreChange }) => scoreChange < 0],
    ['since an instant', `startDate=${instant}`, ({ createdAt }) => createdAt >= instant],
    ['until a day', 'endDate=2026-09-15', ({ createdAt }) => createdAt < '2026-09-16'],
    ['a part of a username', 'search=1A2', ({ username }) => username.includes('1a2')],
    ['an unknown name', 'search=nobody', () => false],
    ['an underscore', 'search=s_a', () => false],
    ['an administrator who wrote them', `adminId=${staff.ofClass.id}`, ({ by }) => by === 'ofClass'],
    ['a credential that wrote them', `tokenId=${office.id}`, ({ by }) => by === 'office'],
    [
      'a credential, a name and plus points',
      `tokenId=${office.id}&search=b&type=plus`,
      ({ by, username, scoreChange }) => by === 'office' && username.includes('b') && scoreChange > 0,
    ],
    ['an administrator and a credential', `adminId=${staff.ofClass.id}&tokenId=${office.id}`, () => false],
  ])('filters by %s', async (_what, query, keep) => {
    const expected = newestFirst(listed.filter(keep));
    expectListed(await list(`${state}&${query}`), expected);
  });
});

it('score logs show the id of a deleted author without a name', async () => {
  const leaver = await createAdmin(test, { username: 'leaver', role: 'school_admin', schoolId: other.id });
  const userId = other.grades[0].classes[0].students[0].id;
  await leaver.post('/scores/add', { schoolDb: other.schoolDb, userId, scoreChange: 1 });
  await test.database.db.deleteFrom('admin').where('id', '=', leaver.id).execute();
  const answer = await admin.get(`/scores/logs?schoolDb=${other.schoolDb}`);
  expect(answer.data).toMatchObject([{ author: { type: 'admin', id: leaver.id, name: null } }]);
});

it('score logs find few and many students by name', async () => {
  const { students } = await other.newClass(other.grades[1].id, 110);
  const items = students.slice(0, 100).map(({ id }) => ({ userId: id }));
  const theirs = await other.issue({});
  for (const scoreChange of [2, -1]) await theirs.created('/scores', { items, scoreChange });
  for (const [query, total, shown] of [
    ['search=further', '200', 30],
    ['search=further&type=minus', '100', 30],
    ['search=FURTHER%201.7', '22', 22],
    ['search=further%201.100', '2', 2],
  ]) {
    const answer = await admin.get(`/scores/logs?schoolDb=${other.schoolDb}&limit=30&${query}`);
    expect([query, answer.headers['x-total-count'], idsOf(answer).length]).toEqual([query, total, shown]);
    for (const log of answer.data as ScoreLog[]) expect(log.username).toMatch(/^Further/);
  }
});

it('score logs answer 400 to a contradictory query', async () => {
  for (const query of ['startDate=2026-09-02&endDate=2026-09-01', `term=${termId}&state=revoked`]) {
    expect(await list(query)).toMatchObject({ status: 400, success: false, data: null });
  }
});

it('only administrators of the whole school see score logs of the term of a deleted class; others get 403', async () => {
  expect(await list(`term=${termOfDeletedClass}`, staff.ofGrade)).toMatchObject({ status: 403, data: null });
  expect(idsOf(await list(`term=${termOfDeletedClass}`)).length).toBeGreaterThan(0);
});

it('score logs of a term are complete after a student moved to another class', async () => {
  const before = idsOf(await list(`term=${termId}`, staff.ofClass));
  const [mover] = classA.students;
  await office.patch(`/students/${mover.id}`, { classId: classC.id });
  expect(idsOf(await list(`term=${termId}`, staff.ofClass))).toEqual(before);
});
