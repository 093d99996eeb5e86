import { People, type Person } from './names.ts';
import { Random } from './random.ts';

export const schoolName = '江畔双语学校 Riverside Bilingual School';
/** A school day there lies inside one UTC day (see term-plan.ts). */
export const schoolTimeZone = 'Asia/Shanghai';

const gradeNames = [
  '初一 Grade 7',
  '初二 Grade 8',
  '初三 Grade 9',
  '高一 Grade 10',
  '高二 Grade 11',
  '高三 Grade 12',
];
const classLetters = 'ABCDEF';
const studentsPerClass = { min: 42, max: 47 };
const disabledShare = 0.015;
const emailShare = 0.35;

export interface PlannedStudent extends Person {
  readonly disabled: boolean;
  readonly email: string | null;
  /** How often the student gets points; 1 is average. */
  readonly liveliness: number;
  /** Share of plus points among the student's records, 0 to 1. */
  readonly diligence: number;
}

export interface PlannedClass {
  readonly grade: number;
  readonly name: string;
  readonly students: readonly PlannedStudent[];
}

export interface SchoolPlan {
  readonly grades: readonly string[];
  /** By grade, then by name. */
  readonly classes: readonly PlannedClass[];
}

export function planSchool(): SchoolPlan {
  const random = new Random(2026);
  const people = new People(random);
  const classes = gradeNames.flatMap((gradeName, grade) =>
    [...classLetters].map((letter) => ({
      grade,
      name: `${gradeName.split(' ').at(-1)}${letter} 班`,
      students: Array.from(
        { length: random.integer(studentsPerClass.min, studentsPerClass.max) },
        (): PlannedStudent => planStudent(random, people.next()),
      ),
    })),
  );
  return { grades: gradeNames, classes };
}

function planStudent(random: Random, person: Person): PlannedStudent {
  return {
    ...person,
    disabled: random.chance(disabledShare),
    email: random.chance(emailShare) ? `${person.username}@students.riverside.example` : null,
    liveliness: 0.45 + 1.1 * random.next(),
    diligence: 0.97 - 0.5 * random.next() ** 2.5,
  };
}
