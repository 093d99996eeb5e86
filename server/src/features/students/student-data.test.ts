import { describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';

const { test, school, other, office } = await openStaffedSchool();

const score = (student: { id: number } | undefined, scoreChange: number, description = '') =>
  office.give(student?.id as number, scoreChange, description);

describe('Students', () => {
  it('cannot reach another school, whatever the query names', async () => {
    const self = await test.signInStudent(school.schoolDb, 's2a1');
    const foreign = other.grades[0].classes[0];
    const query = `?schoolDb=${other.schoolDb}`;
    const inSchool = new Set(
      school.grades.flatMap((g) => g.classes.flatMap((c) => c.students)).map((s) => s.id),
    );
    for (const path of ['/student/classmates', '/student/logs', '/auth/student/me']) {
      const { status, data } = await self.get(path + query);
      expect(status).toBe(200);
      for (const { id } of [data].flat() as { id: number }[]) expect(inSchool.has(id)).toBe(true);
      for (const named of [`classId=${foreign.id}`, `userId=${foreign.students[0]?.id}`]) {
        expect(await self.get(`${path}${query}&${named}`)).toMatchObject({ status: 200, data });
      }
    }
    expect((await self.get(`/users/${foreign.students[0]?.id}${query}`)).status).toBe(401);
  });
});

describe('GET /student/logs', async () => {
  const self = await test.signInStudent(school.schoolDb, 's2a2');
  const student = () => school.grades[1].classes[0].students[1];
  const logs = async (query = '') => (await self.get(`/student/logs${query}`)).data as { id: number }[];

  it('lists the student’s own live records, newest first, without authors', async () => {
    const at = test.clock.now().toISOString();
    const early = await score(student(), 2, 'Homework');
    const revoked = await score(student(), 50);
    test.clock.advance(1000);
    const late = await score(student(), -1, 'Late');
    await score(school.grades[1].classes[0].students[0], 7, 'of a classmate');
    await office.delete(`/scores/${revoked}?confirm=true`);
    const now = test.clock.now().toISOString();
    const answer = await self.get('/student/logs');
    expect(answer.data).toEqual([
      { id: late, scoreChange: -1, description: 'Late', occurredAt: now, createdAt: now },
      { id: early, scoreChange: 2, description: 'Homework', occurredAt: at, createdAt: at },
    ]);
    expect(answer.headers['x-total-count']).toBe('2');
    expect((await logs('?type=plus')).map((log) => log.id)).toEqual([early]);
    expect((await logs('?type=minus')).map((log) => log.id)).toEqual([late]);
    expect((await self.get('/student/logs?type=up')).status).toBe(400);
  });

  it('returns 50 by default and 500 at most', async () => {
    const items = Array.from({ length: 200 }, () => ({ userId: student()?.id, scoreChange: 1 }));
    for (let n = 0; n < 3; n++) expect((await office.post('/scores', { items })).status).toBe(200);
    expect(await logs()).toHaveLength(50);
    expect(await logs('?limit=3')).toHaveLength(3);
    expect(await logs('?limit=600')).toHaveLength(500);
    expect(await logs('?limit=500&page=2')).toHaveLength(102);
    const answer = await self.get('/student/logs');
    expect(answer.headers['x-total-count']).toBe('602');
    for (const limit of ['0', '-1', 'many']) {
      expect((await self.get(`/student/logs?limit=${limit}`)).status).toBe(400);
    }
  });
});

describe('GET /student/records-by-day', () => {
  it('returns one entry per UTC day, oldest first, including empty days', async () => {
    const student = school.grades[1].classes[1].students[0];
    const self = await test.signInStudent(school.schoolDb, student?.username as string);
    const byDay = async (query = '') => (await self.get(`/student/records-by-day${query}`)).data;
    test.clock.set('2026-09-20T23:59:59.999Z');
    await score(student, 3);
    await score(student, -1);
    await score(student, 0);
    test.clock.set('2026-09-21T00:00:00.000Z');
    await score(student, -2);
    const revoked = await score(student, 100);
    await office.delete(`/scores/${revoked}?confirm=true`);
    await score(school.grades[1].classes[1].students[1], 8);
    test.clock.set('2026-09-22T12:00:00.000Z');

    const zero = { count: 0, totalScore: 0, addScore: 0, deductScore: 0 };
    const lastThree = [
      { date: '2026-09-20', count: 3, totalScore: 2, addScore: 3, deductScore: -1 },
      { date: '2026-09-21', count: 1, totalScore: -2, addScore: 0, deductScore: -2 },
      { date: '2026-09-22', ...zero },
    ];
    expect(await byDay('?days=3')).toEqual(lastThree);
    expect(await byDay('?days=2')).toEqual(lastThree.slice(1));
    expect(await byDay('?days=1')).toEqual(lastThree.slice(2));
    expect(await byDay()).toEqual([
      ...['16', '17', '18', '19'].map((day) => ({ date: `2026-09-${day}`, ...zero })),
      ...lastThree,
    ]);
    const page = await self.get('/student/records-by-day?days=366&limit=2&page=183');
    expect(page.data).toEqual(lastThree.slice(1));
    expect(page.headers['x-total-count']).toBe('366');
    for (const days of ['0', '367', 'x']) {
      expect((await self.get(`/student/records-by-day?days=${days}`)).status).toBe(400);
    }
  });
});
