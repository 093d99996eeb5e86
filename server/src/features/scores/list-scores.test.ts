import type { BulkScores, ScoreRecord } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { openSchool } from '../../../test/test-app.ts';

interface Page {
  list: ScoreRecord[];
  total: number;
  page: number;
  limit: number;
}

/** Instants at and around the bounds of UTC days. Each occurs twice, so that sorting has ties. */
const instants = [
  '2026-02-28T23:59:59.999Z',
  '2026-03-01T00:00:00.000Z',
  '2026-03-01T00:00:00.001Z',
  '2026-03-01T12:30:00.500Z',
  '2026-03-01T23:59:59.999Z',
  '2026-03-02T00:00:00.000Z',
  '2026-12-31T23:59:59.999Z',
  '2027-01-01T00:00:00.000Z',
];

const { test, school, office, gradeHead, teacher } = await openSchool();
const students = school.grades.flatMap((grade) => grade.classes.flatMap((found) => found.students));
const points = [3, -2, 0, 3, -10_000, 10_000, 0, -2];
for (const [i, instant] of instants.entries()) {
  test.clock.set(instant);
  const items = [0, 5].map((step) => ({
    userId: students[(i * 2 + step) % students.length]?.id,
    scoreChange: points[(i + step) % points.length],
    description: `no. ${i}.${step}`,
  }));
  expect((await office.post('/scores', { items })).data).toMatchObject({ failedCount: 0 });
}
async function list(query: string, by = office): Promise<Page> {
  const answer = await by.get(`/scores?${query}`);
  expect([query, answer.status, answer.code]).toEqual([query, 200, 0]);
  return answer.data as Page;
}

const all = (await list('limit=100')).list;
expect(all).toHaveLength(2 * instants.length);

describe('GET /scores', () => {
  it('lists newest first by default, with ties by id', async () => {
    const newest = [...all].sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt) || b.id - a.id);
    expect(all).toEqual(newest);
    expect((await list('order=desc')).list).toEqual(all);
    expect((await list('order=asc')).list).toEqual([...all].reverse());
    expect((await list('sortBy=nothing')).list).toEqual(all);
    expect((await list('sortBy=nothing&order=asc')).list).toEqual([...all].reverse());
  });

  it.each(['id', 'createdAt', 'scoreChange'] as const)(
    'sorts by %s, descending by default, with ties by id in the same direction',
    async (field) => {
      const value = (record: ScoreRecord) =>
        field === 'createdAt' ? Date.parse(record.createdAt) : record[field];
      const sorted = [...all].sort((a, b) => value(a) - value(b) || a.id - b.id);
      expect((await list(`sortBy=${field}&order=asc`)).list).toEqual(sorted);
      expect((await list(`sortBy=${field}&order=desc`)).list).toEqual(sorted.reverse());
      expect((await list(`sortBy=${field}`)).list).toEqual(sorted);
    },
  );

  it('returns pages without overlap or gap, each with the same total', async () => {
    for (const sortBy of ['id', 'createdAt', 'scoreChange']) {
      const whole = (await list(`sortBy=${sortBy}&limit=100`)).list;
      const read: ScoreRecord[] = [];
      for (let page = 1; page <= 6; page++) {
        const part = await list(`sortBy=${sortBy}&limit=3&page=${page}`);
        expect(part).toMatchObject({ total: all.length, page, limit: 3 });
        read.push(...part.list);
      }
      expect(read).toEqual(whole);
    }
  });

  it('filters by student, class, grade and type, alone and together', async () => {
    const student = all[0] as ScoreRecord;
    const other = all.find((record) => record.userId !== student.userId) as ScoreRecord;
    const values = {
      userId: [undefined, student.userId, 999_999_999],
      username: [undefined, student.username, ` ${other.username} `, 'nobody'],
      classId: [undefined, student.classId],
      gradeId: [undefined, school.grades[0].id, school.grades[1].id],
      type: [undefined, 'add', 'deduct'],
    };
    for (const userId of values.userId) {
      for (const username of values.username) {
        for (const classId of values.classId) {
          for (const gradeId of values.gradeId) {
            for (const type of values.type) {
              const expected = all.filter(
                (record) =>
                  (userId === undefined || record.userId === userId) &&
                  (username === undefined || record.username === username.trim()) &&
                  (classId === undefined || record.classId === classId) &&
                  (gradeId === undefined || record.gradeId === gradeId) &&
                  (type === undefined || (type === 'add' ? record.scoreChange > 0 : record.scoreChange < 0)),
              );
              const filter = { userId, username, classId, gradeId, type };
              const given = Object.entries(filter).filter(([, value]) => value !== undefined);
              const query = new URLSearchParams(
                given.map(([name, value]): [string, string] => [name, String(value)]),
              );
              expect(await list(`${query}&limit=100`)).toMatchObject({
                list: expected,
                total: expected.length,
              });
            }
          }
        }
      }
    }
  });

  it('is empty for a username in another case and a missing class or grade', async () => {
    const name = (all[0] as ScoreRecord).username.toUpperCase();
    for (const query of [`username=${name}`, 'classId=999999999', 'gradeId=999999999']) {
      expect(await list(query)).toMatchObject({ list: [], total: 0 });
    }
  });

  it.each(['ADD', 'plus', 'zero'])('answers 40002 to the type "%s"', async (type) => {
    expect(await office.get(`/scores?type=${type}`)).toMatchObject({ status: 400, code: 40002 });
  });

  describe('Filter by dates', () => {
    const between = (from: string | null, to: string | null) =>
      all.filter(
        ({ createdAt }) =>
          (from === null || Date.parse(createdAt) >= Date.parse(from)) &&
          (to === null || Date.parse(createdAt) <= Date.parse(to)),
      );

    it.each([
      ['startDate=2026-03-01', '2026-03-01T00:00:00.000Z', null],
      ['endDate=2026-03-01', null, '2026-03-01T23:59:59.999Z'],
      ['startDate=2026-03-01&endDate=2026-03-01', '2026-03-01T00:00:00.000Z', '2026-03-01T23:59:59.999Z'],
      ['startDate=2026-02-28&endDate=2026-03-02', '2026-02-28T00:00:00.000Z', '2026-03-02T23:59:59.999Z'],
      ['startDate=2026-03-01T00:00:00.001Z', '2026-03-01T00:00:00.001Z', null],
      ['startDate=2026-03-01T00:00:00.0005Z', '2026-03-01T00:00:00.001Z', null],
      ['endDate=2026-03-01T00:00:00Z', null, '2026-03-01T00:00:00.000Z'],
      ['endDate=2026-03-01T23:59:59.998Z', null, '2026-03-01T23:59:59.998Z'],
      [
        'startDate=2026-03-01T12:30:00.500Z&endDate=2026-03-01T12:30:00.500Z',
        '2026-03-01T12:30:00.500Z',
        '2026-03-01T12:30:00.500Z',
      ],
      ['startDate=2026-03-01T02:00:00.001%2B02:00', '2026-03-01T00:00:00.001Z', null],
      ['endDate=2026-02-28T19:00:00-05:00', null, '2026-03-01T00:00:00.000Z'],
      [
        'startDate=2026-03-01T12:00:00Z&endDate=2026-03-02',
        '2026-03-01T12:00:00.000Z',
        '2026-03-02T23:59:59.999Z',
      ],
      [
        'startDate=2026-03-01&endDate=2026-12-31T12:00:00Z',
        '2026-03-01T00:00:00.000Z',
        '2026-12-31T12:00:00.000Z',
      ],
      ['startDate=2027-01-01', '2027-01-01T00:00:00.000Z', null],
      ['startDate=2028-01-01', '2028-01-01T00:00:00.000Z', null],
      ['startDate=0001-01-01&endDate=9999-12-31', null, null],
      ['startDate=9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z', null],
      ['endDate=0001-01-01T00:00:00Z', null, '0001-01-01T00:00:00.000Z'],
    ])('%s means from %s to %s, both included', async (query, from, to) => {
      const expected = between(from, to);
      for (const type of ['', '&type=add', '&type=deduct']) {
        const typed = expected.filter(
          ({ scoreChange }) => type === '' || (type === '&type=add' ? scoreChange > 0 : scoreChange < 0),
        );
        expect(await list(`${query}${type}&limit=100`)).toMatchObject({ list: typed, total: typed.length });
      }
    });

    const bad = [
      'yesterday',
      '2026-3-1',
      '2026-02-29',
      '2026-02-30',
      '2026-13-01',
      '2026-03-01T10:00:00',
      '2026-03-01T10:00Z',
      '2026-03-01T10:00:00%2B0200',
      '2026-03-01T10:00:00+02:00',
      '2026-03-01T24:00:00Z',
      '2026-03-01%2010:00:00Z',
      '1772323200000',
    ];
    it.each(bad.flatMap((date) => ['startDate', 'endDate'].map((name) => `${name}=${date}`)))(
      '%s answers 40002, here and in the overview',
      async (query) => {
        for (const path of ['/scores', '/stats/overview']) {
          const answer = await office.get(`${path}?${query}`);
          expect(answer).toMatchObject({ status: 400, code: 40002, data: null });
        }
      },
    );

    it('accepts a leap day', async () => {
      expect(await list('startDate=2028-02-29&endDate=2028-02-29')).toMatchObject({ total: 0 });
    });

    it.each([
      'startDate=2026-03-02&endDate=2026-03-01',
      'startDate=2026-03-01T00:00:00.001Z&endDate=2026-03-01T00:00:00.000Z',
      'startDate=2026-03-02&endDate=2026-03-02T01:00:00%2B02:00',
    ])('answers 40002 to an end before the start: %s', async (query) => {
      for (const path of ['/scores', '/stats/overview']) {
        expect(await office.get(`${path}?${query}`)).toMatchObject({ status: 400, code: 40002 });
      }
    });
  });

  it('limits records and total to the range of the credential', async () => {
    const [grade] = school.grades;
    const ofGrade = all.filter((record) => record.gradeId === grade.id);
    const ofClass = all.filter((record) => record.classId === grade.classes[0].id);
    for (const [credential, expected] of [
      [gradeHead, ofGrade],
      [teacher, ofClass],
    ] as const) {
      expect(expected.length).toBeGreaterThan(0);
      for (const query of [
        '',
        '&startDate=2026-01-01',
        '&startDate=2026-01-01&endDate=2027-06-30T12:00:00Z',
      ]) {
        const page = await list(`limit=100${query}`, credential);
        expect(page).toMatchObject({ list: expected, total: expected.length });
      }
    }
  });

  it('shows the present username, name and class of the student', async () => {
    const [student] = school.grades[1].classes[1].students;
    const written = await office.post('/scores', { userId: student?.id, scoreChange: 1 });
    const { logId } = (written.data as BulkScores).details[0] as { logId: number };
    await office.patch(`/students/${student?.id}`, { username: 'renamed', actualName: 'Renamed Person' });
    await office.patch(`/classes/${school.grades[1].classes[1].id}`, { name: 'Class Z' });
    const { list: records } = await list('username=renamed');
    expect(records[0]).toMatchObject({
      id: logId,
      username: 'renamed',
      actualName: 'Renamed Person',
      className: 'Class Z',
    });
    expect(await list(`username=${student?.username}`)).toMatchObject({ list: [], total: 0 });
  });
});
