import type { Student } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { startTestApp } from '../../../test/test-app.ts';

type Page = { list: Student[]; total: number };

/** Usernames and names with special characters of patterns, and points to sort by. */
const people: { username: string; actualName: string; points: number[] }[] = [
  { username: 'anna', actualName: 'Anna Keller', points: [3, 4] },
  { username: 'Bert', actualName: 'bertram', points: [7] },
  { username: 'per%cent', actualName: '100 % sure', points: [] },
  { username: 'under_score', actualName: 'a_b', points: [-2] },
  { username: 'back\\slash', actualName: 'C:\\temp', points: [0] },
  { username: 'underXscore', actualName: 'aXb', points: [-2, -3] },
  { username: 'quote\'"', actualName: "O'Hara", points: [1] },
  { username: 'li.wei', actualName: '李伟', points: [7] },
  { username: 'ärger', actualName: 'ÄÖÜ', points: [] },
  { username: '[a-z]*', actualName: '.+(x)?', points: [5, -5] },
  { username: 'zoe', actualName: 'Zoë', points: [] },
];

const test = await startTestApp();
const admin = await test.signIn();
const { schoolDb } = await admin.created<{ schoolDb: string }>('/schools', { name: 'Riverside School' });
const grades: number[] = [];
const classes: number[] = [];
const office = await admin.issue(schoolDb);
for (const name of ['Grade 1', 'Grade 2']) {
  const { id: gradeId } = (await office.post('/grades', { name })).data as { id: number };
  grades.push(gradeId);
  for (const letter of ['A', 'B']) {
    classes.push(((await office.post('/classes', { name: letter, gradeId })).data as { id: number }).id);
  }
}
for (const [i, { username, actualName, points }] of people.entries()) {
  // Pairs share an instant, so that sorting has ties.
  if (i % 2 === 0) test.clock.advance(1_000);
  const numbers = { externalId: `S-${i}`, cardNumber: `00${i}` };
  const place = { classId: classes[i % 3], password: 'secret-password' };
  const made = await office.post('/students', { username, actualName, ...numbers, ...place });
  const { id } = made.data as { id: number };
  for (const scoreChange of points) await office.post('/scores', { userId: id, scoreChange });
  if (i % 4 === 3) await office.patch(`/students/${id}`, { disabled: true });
}
async function list(query: string, by = office): Promise<Page> {
  const answer = await by.get(`/students?${query}`);
  expect([query, answer.status, answer.code]).toEqual([query, 200, 0]);
  return answer.data as Page;
}

const everyone = (await list('limit=100')).list;

describe('GET /students', () => {
  it('returns every field of a student with the four sums', () => {
    expect(everyone).toHaveLength(people.length);
    for (const [i, { username, actualName, points }] of people.entries()) {
      const addScore = points.filter((n) => n > 0).reduce((a, b) => a + b, 0);
      const deductScore = points.filter((n) => n < 0).reduce((a, b) => a + b, 0);
      expect(everyone[i]).toEqual({
        id: expect.any(Number),
        username,
        actualName,
        externalId: `S-${i}`,
        cardNumber: `00${i}`,
        classId: classes[i % 3],
        className: i % 3 === 1 ? 'B' : 'A',
        gradeId: grades[i % 3 === 2 ? 1 : 0],
        gradeName: i % 3 === 2 ? 'Grade 2' : 'Grade 1',
        disabled: i % 4 === 3,
        totalScore: addScore + deductScore,
        addScore,
        deductScore,
        scoreCount: points.length,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
    }
  });

  it('filters by the exact external id or card number', async () => {
    for (const [filter, found] of [
      ['externalId=S-3', [3]],
      ['externalId=%20S-3%20', [3]],
      ['externalId=s-3', []],
      ['externalId=S-', []],
      ['cardNumber=004', [4]],
      ['cardNumber=4', []],
      ['cardNumber=004&externalId=S-3', []],
      [`cardNumber=004&classId=${classes[2]}`, []],
    ] as const) {
      const { list: entries, total } = await list(filter);
      expect([filter, entries, total]).toEqual([filter, found.map((i) => everyone[i]), found.length]);
    }
  });

  const sortFields = ['id', 'username', 'actualName', 'totalScore', 'scoreCount', 'createdAt'] as const;

  it.each(sortFields.filter((field) => field === 'id' || !field.endsWith('ame')))(
    'sorts by %s with ties by id in the same direction',
    async (field) => {
      const value = (student: Student) =>
        field === 'createdAt' ? Date.parse(student.createdAt) : (student[field] as number);
      const sorted = [...everyone].sort((a, b) => value(a) - value(b) || a.id - b.id);
      expect((await list(`sortBy=${field}`)).list).toEqual(sorted);
      expect((await list(`sortBy=${field}&order=asc`)).list).toEqual(sorted);
      expect((await list(`sortBy=${field}&order=desc`)).list).toEqual([...sorted].reverse());
    },
  );

  it.each(['username', 'actualName'] as const)(
    'sorts by %s in the same order in both directions',
    async (field) => {
      const names = (await list(`sortBy=${field}`)).list.map((student) => student[field]);
      const position = (name: string) => names.indexOf(name);
      expect([...names].sort()).toEqual(everyone.map((student) => student[field]).sort());
      const [first, last] = field === 'username' ? ['anna', 'zoe'] : ['Anna Keller', 'Zoë'];
      expect(position(first)).toBeLessThan(position(last));
      const backwards = (await list(`sortBy=${field}&order=desc`)).list.map((student) => student[field]);
      expect(backwards).toEqual([...names].reverse());
    },
  );

  it('filters by class, grade and disabled, alone and together', async () => {
    for (const disabled of [undefined, true, false]) {
      for (const classId of [undefined, classes[0], 999_999_999]) {
        for (const gradeId of [undefined, ...grades, 999_999_999]) {
          const filters = Object.entries({ disabled, classId, gradeId }).filter(
            ([, value]) => value !== undefined,
          );
          const query = filters.map(([name, value]) => `${name}=${value}`).join('&');
          const expected = everyone.filter(
            (student) =>
              (disabled === undefined || student.disabled === disabled) &&
              (classId === undefined || student.classId === classId) &&
              (gradeId === undefined || student.gradeId === gradeId),
          );
          expect(await list(`${query}&limit=100`)).toMatchObject({ list: expected, total: expected.length });
        }
      }
    }
  });

  it('filters by username or ids, only within the credential’s range and the other filters', async () => {
    const [anna, bert, , under] = everyone as [Student, Student, Student, Student];
    const named = async (query: string, by = office) => {
      const { list: found, total } = await list(query, by);
      expect(total).toBe(found.length);
      return found.map(({ username }) => username);
    };
    expect(await named('username=%20anna%20')).toEqual(['anna']);
    for (const none of ['Anna', 'ann', '%25']) expect(await named(`username=${none}`)).toEqual([]);
    expect(await named(`ids=${bert.id},${anna.id},999999999,${anna.id}`)).toEqual(['anna', 'Bert']);
    expect(await named(`ids=${anna.id}%2C${under.id}&disabled=true`)).toEqual(['under_score']);
    expect(await named(`ids=${anna.id},${bert.id}&username=Bert&sortBy=username&order=desc`)).toEqual([
      'Bert',
    ]);
    expect(await named(`ids=${anna.id}&username=Bert`)).toEqual([]);
    expect(await named(`ids=${anna.id},${bert.id}&classId=${anna.classId}&keyword=n`)).toEqual(['anna']);
    const teacher = await admin.issue(schoolDb, { scopeType: 'class', scopeClassId: anna.classId });
    expect(await named(`ids=${anna.id},${bert.id}`, teacher)).toEqual(['anna']);
    expect(await named('username=Bert', teacher)).toEqual([]);
    expect(await list(`ids=${anna.id},${bert.id}&limit=1&page=3`)).toMatchObject({ list: [], total: 2 });
  });

  it.each([
    ['anna', ['anna']],
    ['NN', ['anna']],
    ['bert', ['Bert']],
    ['BERTRAM', ['Bert']],
    ['ER', ['anna', 'Bert', 'per%cent', 'under_score', 'underXscore', 'ärger']],
    ['%', ['per%cent']],
    ['_', ['under_score']],
    ['r_s', ['under_score']],
    ['\\', ['back\\slash']],
    ['\\t', ['back\\slash']],
    ['\\%', []],
    ['%%', []],
    ["'", ['quote\'"']],
    ['"', ['quote\'"']],
    ['李', ['li.wei']],
    ['李伟', ['li.wei']],
    ['äö', ['ärger']],
    ['ÄRG', ['ärger']],
    ['ZOË', ['zoe']],
    ['.', ['li.wei', '[a-z]*']],
    ['[a', ['[a-z]*']],
    ['.+(', ['[a-z]*']],
    ['  Keller  ', ['anna']],
    ['na Ke', ['anna']],
    ['nobody', []],
  ])('finds "%s" in usernames and actual names, in upper or lower case', async (keyword, found) => {
    const page = await list(`keyword=${encodeURIComponent(keyword)}`);
    expect(page.list.map((student) => student.username)).toEqual(found);
    expect(page.total).toBe(found.length);
  });

  it('answers 40002 to a long keyword and an invalid disabled, and ignores an empty keyword', async () => {
    for (const query of [`keyword=${'x'.repeat(101)}`, 'disabled=2']) {
      expect(await office.get(`/students?${query}`)).toMatchObject({ status: 400, code: 40002 });
    }
    for (const keyword of ['', '%20']) expect((await list(`keyword=${keyword}`)).list).toEqual(everyone);
  });
});
