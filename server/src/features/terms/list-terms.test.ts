import type { Term } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import type { AdminClient } from '../../../test/identities.ts';
import type { SampleSchool } from '../../../test/test-app.ts';

/** Closes terms one after another: both classes of the first grade, then the first class of the second. */

const { test, admin, school, other, staff } = await openStaffedSchool();
const classes = [...school.grades[0].classes, school.grades[1].classes[0]];
const ids: number[] = [];
for (const { id } of classes) {
  test.clock.advance(60_000);
  ids.push(await close(school, id, 'archive'));
}
await close(other, other.grades[0].classes[0].id, 'archive');

async function close({ schoolDb }: SampleSchool, classId: number, action: string): Promise<number> {
  const body = { schoolDb, classId, action, name: 'Spring' };
  return (await admin.created<{ term: { id: number } }>('/admin/term-switch', body)).term.id;
}

const list = (member: AdminClient, query = '') =>
  member.get(`/admin/terms?schoolDb=${school.schoolDb}${query}`);
const idsOf = (answer: { data: unknown }) => (answer.data as Term[]).map((term) => term.id);

describe('GET /admin/terms', () => {
  it('lists closed terms newest first, with the total', async () => {
    const answer = await list(admin);
    expect(idsOf(answer)).toEqual(ids.toReversed());
    expect(answer.headers['x-total-count']).toBe('3');
    expect((answer.data as Term[])[2]).toEqual({
      id: ids[0],
      name: 'Spring',
      action: 'archive',
      classId: school.grades[0].classes[0].id,
      className: 'Class A',
      startedAt: '2026-09-15T10:00:00.000Z',
      closedAt: '2026-09-15T10:01:00.000Z',
      closedBy: { id: expect.any(Number), username: 'admin' },
      students: 3,
      records: 0,
    });
  });

  it('returns pages', async () => {
    const page = await list(admin, '&page=2&limit=2');
    expect(idsOf(page)).toEqual([ids[0]]);
    expect(page.headers['x-total-count']).toBe('3');
  });

  it('lists the terms of classes in the caller’s range', async () => {
    expect(idsOf(await list(staff.ofSchool))).toEqual(ids.toReversed());
    expect(idsOf(await list(staff.ofGrade))).toEqual([ids[1], ids[0]]);
    expect(idsOf(await list(staff.ofClass))).toEqual([ids[0]]);
  });

  it('filters by class', async () => {
    const [first, second] = school.grades[0].classes;
    expect(idsOf(await list(admin, `&classId=${second.id}`))).toEqual([ids[1]]);
    expect(idsOf(await list(staff.ofClass, `&classId=${first.id}`))).toEqual([ids[0]]);
  });
});
