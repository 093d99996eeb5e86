import type { Term } from '@classledger/contract';
import { expect, it } from 'vitest';
import { openStaffedSchool } from '../../../test/administrators.ts';
import type { SampleSchool } from '../../../test/test-app.ts';

/** Closes terms one after another: both classes of the first grade, then the first class of the second. */

const { test, admin, school, other, staff } = await openStaffedSchool();
const [classA, classB] = school.grades[0].classes;
const ids: number[] = [];
for (const { id } of [classA, classB, school.grades[1].classes[0]]) {
  test.clock.advance(60_000);
  ids.push(await close(school, id));
}
await close(other, other.grades[0].classes[0].id);

async function close({ schoolDb }: SampleSchool, classId: number): Promise<number> {
  const body = { schoolDb, classId, action: 'archive', name: 'Spring' };
  return (await admin.created<{ term: { id: number } }>('/admin/term-switch', body)).term.id;
}
const [ofA, ofB, ofOtherGrade] = ids as [number, number, number];

it.each([
  ['super administrator', admin, '', [ofOtherGrade, ofB, ofA], '3'],
  ['super administrator', admin, '&page=2&limit=2', [ofA], '3'],
  ['super administrator', admin, `&classId=${classB.id}`, [ofB], '1'],
  ['school administrator', staff.ofSchool, '', [ofOtherGrade, ofB, ofA], '3'],
  ['grade administrator', staff.ofGrade, '', [ofB, ofA], '2'],
  ['class administrator', staff.ofClass, '', [ofA], '1'],
  ['class administrator', staff.ofClass, `&classId=${classA.id}`, [ofA], '1'],
] as const)(
  'a %s lists the closed terms in the range, newest first, with the total (query %#)',
  async (_who, member, query, expected, total) => {
    const answer = await member.get(`/admin/terms?schoolDb=${school.schoolDb}${query}`);
    expect((answer.data as Term[]).map((term) => term.id)).toEqual(expected);
    expect(answer.headers['x-total-count']).toBe(total);
    if (expected.at(-1) !== ofA) return;
    expect((answer.data as Term[]).at(-1)).toEqual({
      ...{ id: ofA, name: 'Spring', action: 'archive', classId: classA.id, className: 'Class A' },
      ...{ startedAt: '2026-09-15T10:00:00.000Z', closedAt: '2026-09-15T10:01:00.000Z' },
      ...{ closedBy: { id: expect.any(Number), username: 'admin' }, students: 3, records: 0 },
    });
  },
);
