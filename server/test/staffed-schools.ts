import type { Role } from '@classledger/contract';
import { createAdmin, createStaff, type Staff } from './administrators.ts';
import { createSampleSchool, startTestApp } from './test-app.ts';

/** Opens two sample schools, with a super administrator, and staff of every role in the first school. */
async function openStaffedSchools(env: Record<string, string> = {}) {
  const test = await startTestApp(env);
  const chief = await createAdmin(test, { username: 'chief', role: 'super_admin', schoolId: null });
  const school = await createSampleSchool(chief, 'School of the staff');
  const other = await createSampleSchool(chief, 'Other school');
  const staff = await createStaff(test, school);
  const [grade, otherGrade] = school.grades;
  const [first, second] = grade.classes;
  const [elsewhere] = other.grades;
  const [third, foreign] = [otherGrade.classes[0], elsewhere.classes[0]];
  let names = 0;
  const newName = (what = 'new') => `${what} ${++names}`;
  const member = (
    role: Role,
    where: { gradeId?: number; classId?: number } = {},
    schoolId = school.id,
  ): Promise<Staff> => {
    const place = { schoolId: role === 'super_admin' ? null : schoolId, ...where };
    return createAdmin(test, { username: newName(role), role, ...place });
  };
  /** Moves the clock to the next day in steps, because an unused session would end. */
  const nextDay = async (): Promise<void> => {
    for (let hours = 0; hours < 24; hours += 8) {
      test.clock.advance(8 * 3_600_000);
      for (const person of [chief, ...Object.values(staff)]) await person.get('/auth/me');
    }
  };
  return {
    ...{ test, chief, school, other, staff, newName, member, nextDay },
    places: { grade, otherGrade, first, second, third, elsewhere, foreign },
    gradeHead: () => member('grade_admin', { gradeId: grade.id }),
    teacher: () => member('class_admin', { gradeId: grade.id, classId: first.id }),
  };
}

export const StaffedSchools = { open: openStaffedSchools };
