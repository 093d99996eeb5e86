import type { Term } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import type { AdminClient } from '../../../test/identities.ts';
import type { SampleSchool } from '../../../test/test-app.ts';

/** Closed one after the other: first and second class of the first grade, first class of the second. */

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

describe('the list of closed terms', () => {
  it('is newest first, with their number', async () => {
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

  it('may be read page by page', async () => {
    const page = await list(admin, '&page=2&limit=2');
    expect(idsOf(page)).toEqual([ids[0]]);
    expect(page.headers['x-total-count']).toBe('3');
    for (const query of ['&page=0', '&limit=x', '&classId=x', '&classId=0']) {
      expect((await list(admin, query)).status).toBe(400);
    }
  });

  it('holds those of the classes in the caller’s range', async () => {
    expect(idsOf(await list(staff.ofSchool))).toEqual(ids.toReversed());
    expect(idsOf(await list(staff.ofGrade))).toEqual([ids[1], ids[0]]);
    expect(idsOf(await list(staff.ofClass))).toEqual([ids[0]]);
  });

  it('narrows to one class: 403 outside the range, 404 where the school has none', async () => {
    const [first, second] = school.grades[0].classes;
    expect(idsOf(await list(admin, `&classId=${second.id}`))).toEqual([ids[1]]);
    expect(idsOf(await list(staff.ofClass, `&classId=${first.id}`))).toEqual([ids[0]]);
    expect((await list(staff.ofClass, `&classId=${second.id}`)).status).toBe(403);
    expect((await list(staff.ofGrade, `&classId=${school.grades[1].classes[0].id}`)).status).toBe(403);
    for (const member of [admin, staff.ofGrade]) {
      expect((await list(member, `&classId=${other.grades[0].classes[0].id}`)).status).toBe(404);
    }
  });

  it('needs the session of an administrator and a school', async () => {
    expect((await test.anonymous.internal.get('/admin/terms?schoolDb=school_1')).status).toBe(401);
    expect((await admin.get('/admin/terms')).status).toBe(400);
    expect((await staff.ofSchool.get(`/admin/terms?schoolDb=${other.schoolDb}`)).status).toBe(403);
  });
});

describe('a closed term', () => {
  it('is read by whoever has its class in the range: 403 outside, 404 of another school', async () => {
    const read = async (member: AdminClient, id: number, { schoolDb } = school) =>
      (await member.get(`/admin/terms/${id}?schoolDb=${schoolDb}`)).status;
    expect(await Promise.all(ids.map((id) => read(staff.ofSchool, id)))).toEqual([200, 200, 200]);
    expect(await Promise.all(ids.map((id) => read(staff.ofGrade, id)))).toEqual([200, 200, 403]);
    expect(await Promise.all(ids.map((id) => read(staff.ofClass, id)))).toEqual([200, 403, 403]);
    expect(await read(admin, ids[0] as number, other)).toBe(404);
    expect(await read(admin, 999_999)).toBe(404);
  });
});
