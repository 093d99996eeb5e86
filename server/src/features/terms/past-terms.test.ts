import type { Change, ScoreRecord, Standing } from '@classledger/contract';
import { expect, it } from 'vitest';
import { waitForCompleteFeed } from '../../../test/eventually.ts';
import type { CredentialClient } from '../../../test/identities.ts';
import { openSchool } from '../../../test/test-app.ts';

/** Closed terms at the external API. Credentials: `office` for the school, `gradeHead` for grade 1, `teacher` for class A. */

type StandingPage = { list: Standing[]; nextCursor: string | null };

const { test, admin, school, office, gradeHead, teacher } = await openSchool();
const [{ classes: ofGrade }, { classes: ofOther }] = school.grades;
const [classA, classB] = ofGrade;
const [classC] = ofOther;
const [ann, ben, cem] = classA.students;
const [dan] = classB.students;

const close = async ({ id: classId }: { id: number }, action: 'archive' | 'reset' = 'archive') => {
  test.clock.advance(60_000);
  const body = { schoolDb: school.schoolDb, classId, action, name: `${action} of ${classId}` };
  return (await admin.created<{ term: { id: number } }>('/admin/term-switch', body)).term.id;
};
const idsIn = async (by: CredentialClient, path: string) =>
  (await by.readAll<{ id: number }>(path)).map(({ id }) => id);
const listed = (id: number) => office.readAll<ScoreRecord>(`/scores?userId=${id}&sortBy=id&order=asc`);

await office.give(ann.id, 5, 'Homework');
await office.give(ann.id, -2, 'Late');
await office.give(ben.id, 3);
await office.delete(`/scores/${await office.give(cem.id, 50)}`);
const [ofAnn, ofBen] = [await listed(ann.id), await listed(ben.id)];
const termA = await close(classA);
const current = await office.give(ann.id, 9, 'Homework');
const termB = await close(classB, 'reset');
const termC = await close(classC);

it.each([
  ['the school', office, '', [termA, termB, termC]],
  ['the school, newest first', office, '?order=desc', [termC, termB, termA]],
  ['a grade', gradeHead, '', [termA, termB]],
  ['a class', teacher, '', [termA]],
  ['the school, of one class', office, `?classId=${classB.id}`, [termB]],
  ['a grade, of a class outside', gradeHead, `?classId=${classC.id}`, []],
] as const)('GET /terms lists the closed terms in the range of %s', async (_, by, query, expected) => {
  expect(await idsIn(by, `/terms${query}`)).toEqual(expected);
});

it('a closed term names class, times and counts, but not who closed it', async () => {
  expect((await teacher.readAll('/terms'))[0]).toEqual({
    ...{ id: termA, name: `archive of ${classA.id}`, action: 'archive', students: 3, records: 3 },
    ...{ classId: classA.id, className: 'Class A' },
    ...{ startedAt: expect.any(String), closedAt: expect.any(String) },
  });
});

it('standings list the students of the term best first, equal ones by id, page by page', async () => {
  const standing = (rank: number, { id: userId, username }: typeof ann, totals: object) => {
    return { rank, userId, username, actualName: username, ...totals };
  };
  const expected = [
    standing(1, ann, { totalScore: 3, addScore: 5, deductScore: -2, scoreCount: 2 }),
    standing(1, ben, { totalScore: 3, addScore: 3, deductScore: 0, scoreCount: 1 }),
    standing(3, cem, { totalScore: 0, addScore: 0, deductScore: 0, scoreCount: 0 }),
  ];
  const path = `/terms/${termA}/standings`;
  expect(await teacher.readAll(path)).toEqual(expected);
  expect(await teacher.read(`${path}?limit=2&page=2`)).toMatchObject({ list: [expected[2]], total: 3 });
  const seen: Standing[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const page: StandingPage = await teacher.read(`${path}?limit=1&after=${after}`);
    seen.push(...page.list);
    after = page.nextCursor;
  }
  expect(seen).toEqual(expected);
});

it.each([
  ['a term without a ranking', office, `/terms/${termB}/standings`, 0],
  ['a term outside the grade', gradeHead, `/terms/${termC}/standings`, 40401],
  ['a term outside the class', teacher, `/terms/${termB}/standings`, 40401],
  ['an unknown term', office, '/terms/999999999/standings', 40401],
  ['an id that is none', office, '/terms/0/standings', 40002],
  ['a cursor of another list', office, `/terms/${termA}/standings?after=abcdefgh`, 40002],
  ['a filter by an id that is none', office, '/scores?termId=x', 40002],
  ['a filter by an unknown term', office, '/scores?termId=999999999', 0],
  ['a filter by a term outside', teacher, `/scores?termId=${termB}`, 0],
] as const)('%s: an empty list, or the code of unknown or wrong ids', async (_, by, path, code) => {
  const answer = await by.get(path);
  expect(answer.code).toBe(code);
  if (code === 0) expect(answer.data).toMatchObject({ list: [], total: 0 });
});

it('GET /scores?termId= lists the records of a closed term with their id and content', async () => {
  const inTerm = [...ofAnn, ...ofBen].map((record) => ({ ...record, termId: termA }));
  const [first, second, third] = inTerm;
  for (const [query, expected] of [
    ['&sortBy=id&order=asc', [first, second, third]],
    ['', [third, second, first]],
    ['&sortBy=scoreChange&order=asc', [second, third, first]],
    [`&userId=${ann.id}&type=deduct`, [second]],
    [`&classId=${classA.id}&type=add&sortBy=id&order=asc`, [first, third]],
    [`&classId=${classB.id}`, []],
  ] as const) {
    for (const by of [office, gradeHead, teacher])
      expect(await by.readAll(`/scores?termId=${termA}${query}`), query).toEqual(expected);
  }
  const paged = await office.read(`/scores?termId=${termA}&limit=1&after=`);
  expect(paged).toMatchObject({ list: [third], total: 3, nextCursor: expect.any(String) });
});

it('GET /scores without termId lists the current term, without the field', async () => {
  const times = { createdAt: expect.any(String), occurredAt: expect.any(String) };
  expect(await listed(ann.id)).toEqual([{ ...ofAnn[0], id: current, scoreChange: 9, ...times }]);
});

/** Returns what the feed says about a record since the cursor, as `action because`. */
async function follow(by: CredentialClient, recordId: number, change: () => Promise<unknown>) {
  await waitForCompleteFeed(test);
  const { cursor } = await by.read<{ cursor: string }>('/changes');
  await change();
  await waitForCompleteFeed(test);
  const { list } = await by.read<{ list: Change[] }>(`/changes?after=${cursor}&types=score`);
  return list
    .filter(({ id }) => id === recordId)
    .map((entry) => `${entry.action} ${Reflect.get(entry, 'because')}`);
}
const move = (classId: number) => office.patch(`/students/${dan.id}`, { classId });

it.each<[string, (record: number) => Promise<unknown>, string]>([
  ['a closed term', () => close(classB), 'deleted termClosed'],
  ['a closed term, then a move', () => close(classB).then(() => move(classC.id)), 'deleted termClosed'],
  ['a revoked record', (record) => office.delete(`/scores/${record}`), 'revoked undefined'],
  ['a move out of the range', () => move(classC.id), 'deleted undefined'],
  ['a move, then a closed term there', () => move(classC.id).then(() => close(classC)), 'deleted undefined'],
])('the change feed tells closing from other reasons: %s', async (_, change, expected) => {
  await move(classB.id);
  const record = await office.give(dan.id, 4);
  expect(await follow(gradeHead, record, () => change(record))).toEqual([expected]);
});
