import type { Role } from '@classledger/contract';
import { createAdmin, createStaff, type Staff } from './administrators.ts';
import { createSampleSchool, type SampleSchool, startTestApp, type TestApp } from './test-app.ts';

/** Two sample schools, a super administrator, and staff of every role in the first school. */
export class StaffedSchools {
  readonly test: TestApp;
  readonly chief: Staff;
  readonly school: SampleSchool;
  readonly other: SampleSchool;
  readonly staff: { readonly ofSchool: Staff; readonly ofGrade: Staff; readonly ofClass: Staff };
  #names = 0;

  private constructor(parts: Pick<StaffedSchools, 'test' | 'chief' | 'school' | 'other' | 'staff'>) {
    this.test = parts.test;
    this.chief = parts.chief;
    this.school = parts.school;
    this.other = parts.other;
    this.staff = parts.staff;
  }

  static async open(env: Record<string, string> = {}): Promise<StaffedSchools> {
    const test = await startTestApp(env);
    const chief = await createAdmin(test, { username: 'chief', role: 'super_admin', schoolId: null });
    const school = await createSampleSchool(chief, 'School of the staff');
    const other = await createSampleSchool(chief, 'Other school');
    return new StaffedSchools({ test, chief, school, other, staff: await createStaff(test, school) });
  }

  newName(what = 'new'): string {
    return `${what} ${++this.#names}`;
  }

  get places() {
    const [grade, otherGrade] = this.school.grades;
    const [first, second] = grade.classes;
    const elsewhere = this.other.grades[0];
    return {
      grade,
      otherGrade,
      first,
      second,
      third: otherGrade.classes[0],
      elsewhere,
      foreign: elsewhere.classes[0],
    };
  }

  member(
    role: Role,
    where: { gradeId?: number; classId?: number } = {},
    schoolId = this.school.id,
  ): Promise<Staff> {
    const school = role === 'super_admin' ? null : schoolId;
    return createAdmin(this.test, { username: this.newName(role), role, schoolId: school, ...where });
  }

  gradeHead(): Promise<Staff> {
    return this.member('grade_admin', { gradeId: this.places.grade.id });
  }

  teacher(): Promise<Staff> {
    const { grade, first } = this.places;
    return this.member('class_admin', { gradeId: grade.id, classId: first.id });
  }
}
