import { describe, expect, it } from 'vitest';
import type { AdminClient } from '../../../test/identities.ts';
import { StaffedSchools } from '../../../test/staffed-schools.ts';
import type { SampleSchool } from '../../../test/test-app.ts';

const { chief, school, other, staff } = await StaffedSchools.open();

const ask = (by: AdminClient, path: string, query: string) =>
  by.get(`/stats/${path}?schoolDb=${school.schoolDb}${query}`);

describe('a filter', () => {
  const places: Readonly<Record<string, readonly string[]>> = {
    overview: ['gradeId', 'classId'],
    records: ['gradeId', 'classId', 'userId'],
    classes: ['gradeId'],
    leaders: ['gradeId', 'classId'],
  };
  const targetsIn = (of: SampleSchool, grade: 0 | 1, place: 0 | 1) => {
    const found = of.grades[grade].classes[place];
    return { gradeId: found.gradeId, classId: found.id, userId: found.students[0]?.id as number };
  };

  it.each(Object.entries(places))(
    'of /stats/%s outside the range is 403, of another school or nowhere 404',
    async (path, names) => {
      for (const name of names as ('gradeId' | 'classId' | 'userId')[]) {
        const status = async (by: AdminClient, id: number | string) =>
          (await ask(by, path, `&${name}=${id}`)).status;
        const outside = targetsIn(school, 1, 0)[name];
        for (const by of [staff.ofGrade, staff.ofClass]) expect(await status(by, outside)).toBe(403);
        if (name !== 'gradeId') expect(await status(staff.ofClass, targetsIn(school, 0, 1)[name])).toBe(403);
        for (const by of [chief, staff.ofSchool, staff.ofGrade, staff.ofClass]) {
          expect(await status(by, targetsIn(other, 0, 0)[name])).toBe(404);
          expect(await status(by, 999_999_999)).toBe(404);
          for (const bad of ['', '0', '-1', '1.5', 'x']) expect(await status(by, bad)).toBe(400);
          expect(await status(by, targetsIn(school, 0, 0)[name])).toBe(200);
        }
      }
    },
  );

  it.each(['records', 'classes', 'leaders'])(
    'of /stats/%s by days takes 1 to 366, and says so',
    async (path) => {
      for (const days of ['0', '-1', '367', '1.5', 'x', '', '1e2']) {
        const answer = await ask(chief, path, `&days=${days}`);
        expect([days, answer.status]).toEqual([days, 400]);
        expect(answer.message).toContain('days');
      }
      for (const days of [1, 366]) expect((await ask(chief, path, `&days=${days}`)).status).toBe(200);
    },
  );

  it('by an order that is not known is 400', async () => {
    expect((await ask(chief, 'leaders', '&by=luck')).status).toBe(400);
  });
});
