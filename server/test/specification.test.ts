import { type ExternalOperation, externalOperations, permissionNames } from '@classledger/contract';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import type { ExternalAnswer } from './identities.ts';
import { openSchool } from './test-app.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** `deep`, in `npm test`, proves each rule once. `broad`, in `npm run test:broad`, proves them at later ages. */
    tier: 'deep' | 'broad';
  }
}

/**
 * Clauses of the external API's specification that no test of a feature proves. The number before a test's name is the
 * section.
 */

const isBroad = inject('tier') === 'broad';
const age = isBroad ? 'after a year of use' : 'on the first day of use';

const { test, school, office, teacher } = await openSchool();
test.clock.advance(isBroad ? 366 * 86_400_000 : 0);
await test.app.housekeep();
const [{ id: classId, students }] = school.grades[0].classes;
const [ada, ben] = students;

beforeEach(() => test.clock.advance(5_000));

const listOf = async <T extends { id: number }>(path: string, by = office) => {
  const { code, data } = await by.get(path);
  expect([path, code]).toEqual([path, 0]);
  return (data as { list: T[] }).list;
};
const idsIn = async (path: string) => (await listOf(path)).map(({ id }) => id);

describe(`the external API, ${age}`, () => {
  const lists = [
    ...['/students', '/scores', '/grades', '/classes', '/templates', '/terms'],
    ...['/stats/students', '/stats/classes'],
  ];

  it.each(lists)(
    '2.2, 2.3 pages %s by 20 entries, 100 at most, and ignores an invalid sortBy',
    async (path) => {
      expect((await office.get(path)).data).toMatchObject({ page: 1, limit: 20 });
      expect((await office.get(`${path}?page=2&limit=5`)).data).toMatchObject({ page: 2, limit: 5 });
      expect((await office.get(`${path}?limit=1000`)).data).toMatchObject({ page: 1, limit: 100 });
      expect(await idsIn(`${path}?sortBy=shoeSize&order=desc`)).toEqual(await idsIn(`${path}?order=desc`));
    },
  );

  it('2.4 starts a day of a date filter at 00:00:00.000Z, ends it at 23:59:59.999Z, and keeps a full ISO string', async () => {
    const record = await office.give(ada.id);
    const day = (offset: number) =>
      new Date(test.clock.now().getTime() + offset * 86_400_000).toISOString().slice(0, 10);
    for (const [query, expected] of [
      [`startDate=${day(0)}&endDate=${day(0)}`, [record]],
      [`startDate=${day(1)}`, []],
      [`endDate=${day(-1)}`, []],
    ] as const) {
      expect(await idsIn(`/scores?userId=${ada.id}&limit=1&${query}`), query).toEqual(expected);
    }
    for (const [startDate, endDate, range] of [
      ['2026-09-01', '2026-09-02', ['2026-09-01T00:00:00.000Z', '2026-09-02T23:59:59.999Z']],
      ['2026-09-01T08:00:00+08:00', '2026-09-02T10:30:00Z', null],
    ] as const) {
      const { data } = await office.get(`/stats/overview?${new URLSearchParams({ startDate, endDate })}`);
      const [from, to] = range ?? [startDate, endDate];
      expect(data).toMatchObject({ range: { startDate: from, endDate: to } });
    }
  });

  it('4.2 shows school and credential at GET /ping', async () => {
    const scope = { scopeType: 'class', scopeClassId: classId, scopes: ['stats:read'] } as const;
    const door = await (await test.signIn()).issue(school.schoolDb, { name: 'Door', ...scope });
    const now = test.clock.now().toISOString();
    const { data } = await door.get('/ping');
    expect(data).toMatchObject({
      ...{ ok: true, serverTime: now, school: { id: school.id, name: school.name } },
      token: { name: 'Door', ...scope, scopeGradeId: null, expiresAt: null, createdAt: now },
    });
    const { prefix } = (data as { token: { prefix: string } }).token;
    expect([prefix, door.token.startsWith(prefix)]).toEqual([expect.stringMatching(/^cls_\w+$/), true]);
  });

  it.each(['id', 'username', 'actualName', 'totalScore', 'scoreCount', 'createdAt'])(
    '4.3 sorts students by %s, asc or desc',
    async (sortBy) => {
      await office.give(ben.id);
      const values = async (order: string) => {
        const path = `/students?sortBy=${sortBy}&order=${order}&limit=100`;
        return (await listOf<{ id: number; [field: string]: number | string }>(path, teacher)).map(
          (student) => student[sortBy] as number | string,
        );
      };
      const rising = await values('asc');
      expect(rising).toEqual(rising.toSorted((a, b) => (a === b ? 0 : a < b ? -1 : 1)));
      expect(await values('desc')).toEqual(rising.toReversed());
    },
  );

  it('4.3 takes up to 200 students, in the class of a class credential if they name none', async () => {
    const batch = Array.from({ length: 201 }, (_, n) => ({ username: `batch ${n}` }));
    expect(await teacher.post('/students', { batch })).toMatchObject({ status: 400, data: null });
    const made = await teacher.post('/students', { batch: batch.slice(1) });
    expect(made.data).toMatchObject({ successCount: 200 });
    expect(await listOf('/students?keyword=batch&limit=1', teacher)).toMatchObject([{ classId }]);
  });

  it('4.4 takes up to 200 items of points, from -10000 to 10000 each', async () => {
    const before = (await office.get(`/students/${ben.id}`)).data as { scoreCount: number };
    const items = Array.from({ length: 201 }, (_, n) => ({
      userId: ben.id,
      scoreChange: n % 2 === 0 ? 10_000 : -10_000,
    }));
    expect(await office.post('/scores', { items })).toMatchObject({ status: 400, data: null });
    const written = await office.post('/scores', { items: items.slice(1) });
    expect(written.data).toMatchObject({ successCount: 200 });
    expect(await office.read(`/students/${ben.id}`)).toMatchObject({ scoreCount: before.scoreCount + 200 });
  });

  it('4.8 shows the scope of the overview, and names the best students with their class', async () => {
    await office.give(ada.id, 2);
    const best = { rank: 1, username: expect.any(String), actualName: expect.any(String), classId };
    expect((await teacher.get('/stats/overview')).data).toMatchObject({
      scope: { type: 'class', gradeId: null, classId },
      structure: { gradeCount: 1, classCount: 1 },
      topStudents: expect.arrayContaining([expect.objectContaining({ ...best, className: 'Class A' })]),
    });
  });

  /** Without ping: the endpoints of each permission. */
  const endpoints = {
    'students:read': ['GET /students', 'GET /students/:id'],
    'students:write': ['POST /students', 'PATCH /students/:id'],
    'students:delete': ['DELETE /students/:id'],
    'scores:read': ['GET /scores', 'GET /terms', 'GET /terms/:id/standings'],
    'scores:write': ['POST /scores'],
    'scores:revoke': ['DELETE /scores/:logId'],
    'structure:read': ['GET /grades', 'GET /classes'],
    'structure:write': ['POST /grades', 'PATCH /grades/:id', 'POST /classes', 'PATCH /classes/:id'],
    'structure:delete': ['DELETE /grades/:id', 'DELETE /classes/:id'],
    'templates:read': ['GET /templates'],
    'templates:write': ['POST /templates', 'PATCH /templates/:id', 'DELETE /templates/:id'],
    'stats:read': ['GET /stats/overview', 'GET /stats/students', 'GET /stats/classes', 'GET /stats/days'],
  };

  it.each(Object.entries(endpoints))('5.4 needs the permission %s for %j', (permission, expected) => {
    const found = Object.values<ExternalOperation>(externalOperations).map(
      (operation) => [`${operation.method} ${operation.path}`, operation.permission] as const,
    );
    for (const endpoint of expected) expect(found).toContainEqual([endpoint, permission]);
  });

  it('5.4 names its permissions, and the dangerous ones among them, to administrators', async () => {
    const { data } = await (await test.signIn()).get('/api-tokens/meta');
    const { permissions } = data as { permissions: { name: string; dangerous: boolean }[] };
    expect(permissions.map(({ name }) => name)).toEqual(Object.keys(endpoints));
    expect(permissionNames).toEqual(Object.keys(endpoints));
    const dangerous = permissions.filter((permission) => permission.dangerous);
    expect(dangerous.map(({ name }) => name)).toEqual(['students:delete', 'structure:delete']);
  });

  const points = (scoreChange: unknown) => office.post('/scores', { userId: ada.id, scoreChange });
  const template = (scoreChange: number) => office.post('/templates', { name: 'Wrong', scoreChange });
  it.each<[string, () => Promise<ExternalAnswer>]>([
    ['an overlong string', () => office.post('/grades', { name: 'x'.repeat(101) })],
    ['points below -10000', () => points(-10_001)],
    ['half a point', () => points(0.5)],
    ['a template of less than -10000 points', () => template(-10_001)],
  ])('7. answers 40002 to %s', async (_, call) => {
    expect(await call()).toMatchObject({ status: 400, code: 40002, data: null });
  });
});
