import { type Administrator, type Role, roles } from '@classledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Staff } from '../../../test/administrators.ts';
import { StaffedSchools } from '../../../test/staffed-schools.ts';
import { mayManage } from '../../access/management.ts';

const world = await StaffedSchools.open();
const { otherGrade, grade, first, third, elsewhere, foreign } = world.places;
const members: [Role, { gradeId?: number; classId?: number }, number][] = [
  ['super_admin', {}, world.school.id],
  ['school_admin', {}, world.school.id],
  ['school_admin', {}, world.other.id],
  ['grade_admin', { gradeId: grade.id }, world.school.id],
  ['grade_admin', { gradeId: otherGrade.id }, world.school.id],
  ['grade_admin', { gradeId: elsewhere.id }, world.other.id],
  ['class_admin', { gradeId: grade.id, classId: first.id }, world.school.id],
  ['class_admin', { gradeId: otherGrade.id, classId: third.id }, world.school.id],
  ['class_admin', { gradeId: elsewhere.id, classId: foreign.id }, world.other.id],
];
const targets: Staff[] = [];
for (const member of members) targets.push(await world.member(...member));
const managers: readonly Staff[] = [world.staff.ofSchool, world.staff.ofGrade, world.staff.ofClass];

const readAdministratorsById = async () =>
  new Map(
    ((await world.chief.get('/admin/list?limit=500')).data as Administrator[]).map((one) => [one.id, one]),
  );

const fields = {
  role: fc.constantFrom(...roles),
  schoolId: fc.constantFrom('own', 'other', 'missing', null),
  gradeId: fc.constantFrom('own', 'otherGrade', 'elsewhere', null),
  classId: fc.constantFrom('first', 'second', 'third', 'foreign', null),
  disabled: fc.boolean(),
};
const changeRequest = fc.oneof(
  fc.record(fields, { requiredKeys: [] }),
  fc.record({ role: fc.constant('class_admin' as const), classId: fields.classId }),
  fc.record({ role: fc.constant('grade_admin' as const), gradeId: fields.gradeId }),
  fc.record({ classId: fields.classId }),
  fc.record({ disabled: fields.disabled }),
) as fc.Arbitrary<{
  [K in keyof typeof fields]?: (typeof fields)[K] extends fc.Arbitrary<infer T> ? T : never;
}>;
type ChangeRequest = typeof changeRequest extends fc.Arbitrary<infer T> ? T : never;

function bodyOf({ schoolId, gradeId, classId, ...rest }: ChangeRequest): Record<string, unknown> {
  const { grade, otherGrade, elsewhere, first, second, third, foreign } = world.places;
  const schools = { own: world.school.id, other: world.other.id, missing: 999_999 };
  const grades = { own: grade.id, otherGrade: otherGrade.id, elsewhere: elsewhere.id };
  const classes = { first: first.id, second: second.id, third: third.id, foreign: foreign.id };
  return {
    ...rest,
    ...(schoolId === undefined ? {} : { schoolId: schoolId && schools[schoolId] }),
    ...(gradeId === undefined ? {} : { gradeId: gradeId && grades[gradeId] }),
    ...(classId === undefined ? {} : { classId: classId && classes[classId] }),
  };
}

describe('Any request of a manager', () => {
  it('any request changes only administrators whom the caller may manage before and after', async () => {
    const done = { refused: 0, changed: 0 };
    let latest = await readAdministratorsById();
    await fc.assert(
      fc.asyncProperty(fc.nat(2), fc.nat(8), changeRequest, async (by, of, wanted) => {
        const manager = managers[by] as Staff;
        const target = targets[of] as Staff;
        const before = latest;
        const answer = await manager.patch(`/admin/manage/${target.id}`, bodyOf(wanted));
        const after = await readAdministratorsById();
        latest = after;
        expect([200, 400, 403, 404]).toContain(answer.status);
        if (answer.status !== 200) {
          done.refused++;
          expect(after).toEqual(before);
          return;
        }
        done.changed++;
        const self = before.get(manager.id) as Administrator;
        expect(mayManage(self, before.get(target.id) as Administrator)).toBe(true);
        expect(mayManage(self, after.get(target.id) as Administrator)).toBe(true);
        expect(after.get(target.id)).toEqual(answer.data);
        const others = (all: typeof after) => [...all.values()].filter(({ id }) => id !== target.id);
        expect(others(after)).toEqual(others(before));
      }),
      { numRuns: 50 },
    );
    // The property means something only if both outcomes occur.
    expect(done.changed).toBeGreaterThan(2);
    expect(done.refused).toBeGreaterThan(30);
  });

  it('any request creates only administrators whom the caller may manage', async () => {
    let latest = await readAdministratorsById();
    await fc.assert(
      fc.asyncProperty(
        fc.nat(2),
        fc.constantFrom(...roles),
        changeRequest,
        async (by, role, { disabled: _, ...wanted }) => {
          const manager = managers[by] as Staff;
          const before = latest;
          const body = { ...bodyOf(wanted), role, username: world.newName(), password: 'kindle42' };
          const answer = await manager.post('/admin/manage', body);
          expect([200, 400, 403, 404]).toContain(answer.status);
          latest = await readAdministratorsById();
          const added = [...latest.values()].filter(({ id }) => !before.has(id));
          const created = added.map((one) => ({ ...one, passwordEndsAt: null }));
          expect(created).toEqual(answer.status === 200 ? [answer.data] : []);
          for (const one of added) expect(mayManage(before.get(manager.id) as Administrator, one)).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });
});
