import { limits } from 'virtual:contract';
import type { ClassSummary, Grade } from '@classledger/contract';
import { gradeCodeOf } from '@classledger/contract/grade-names';
import { toHalfWidth } from '../../../../i18n/letters.ts';
import { joinName } from '../../../../rosters/names.ts';
import { isToBeDeleted, type Roster } from '../../../../rosters/read-roster.ts';
import { isClassledgerId } from '../../../../rosters/roster-files.ts';
import { classFinder, namedClassLabel } from '../../../lists/class-names.ts';
import { normalizeText } from '../../../lists/normalize-text.ts';
import { type PlannedRow, rowProblemOf } from '../plan-import.ts';

export interface RosterPlan {
  readonly students: readonly PlannedRow[];
  /** `furtherClasses` counts students' enrollments in classes other than the chosen one. */
  readonly leftOut: Readonly<Record<'staff' | 'deleted' | 'furtherClasses', number>>;
}

export const rosterSchoolsOf = ({ orgs }: Roster) =>
  orgs.rows
    .filter((row) => orgs.cell(row, 'type') === 'school' && !isToBeDeleted(orgs, row))
    .map((row) => ({ sourcedId: orgs.cell(row, 'sourcedId'), name: orgs.cell(row, 'name') }));

interface RosterClass {
  readonly title: string;
  readonly grades: readonly string[];
  readonly isHomeroom: boolean;
}

function classesOf({ classes, courses }: Roster, school: string): Map<string, RosterClass> {
  const gradesOfCourse = new Map(
    courses?.rows.map((row) => {
      const sourcedId = courses.cell(row, 'sourcedId');
      // In files from Classledger, a course is a grade: its title has the full name, `grades` only a code.
      return [
        sourcedId,
        isClassledgerId(sourcedId) ? [courses.cell(row, 'title')] : courses.cells(row, 'grades'),
      ];
    }) ?? [],
  );
  const found = new Map<string, RosterClass>();
  for (const row of classes.rows) {
    if (classes.cell(row, 'schoolSourcedId') !== school || isToBeDeleted(classes, row)) continue;
    const course = classes.cell(row, 'courseSourcedId');
    const own = isClassledgerId(course) ? [] : classes.cells(row, 'grades');
    const ofCourse = gradesOfCourse.get(course) ?? [];
    found.set(classes.cell(row, 'sourcedId'), {
      title: toHalfWidth(classes.cell(row, 'title')),
      grades: own.length > 0 ? own : ofCourse,
      isHomeroom: classes.cell(row, 'classType') === 'homeroom',
    });
  }
  return found;
}

function enrollmentsOf(
  { enrollments }: Roster,
  known: ReadonlyMap<string, RosterClass>,
): Map<string, RosterClass[]> {
  const found = new Map<string, RosterClass[]>();
  for (const row of enrollments.rows) {
    const own = known.get(enrollments.cell(row, 'classSourcedId'));
    const isStudent = enrollments.cell(row, 'role') === 'student' && !isToBeDeleted(enrollments, row);
    if (!own || !isStudent) continue;
    const user = enrollments.cell(row, 'userSourcedId');
    const before = found.get(user) ?? [];
    if (!before.includes(own)) found.set(user, [...before, own]);
  }
  return found;
}

/** Maps students to their schools, from `roles.csv`, or from the user's own columns in version 1.1. */
function schoolsOfStudents({ roles, users }: Roster): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const add = (user: string, schools: readonly string[]) =>
    found.set(user, new Set([...(found.get(user) ?? []), ...schools]));
  for (const row of roles?.rows ?? []) {
    if (roles?.cell(row, 'role') !== 'student' || isToBeDeleted(roles, row)) continue;
    add(roles.cell(row, 'userSourcedId'), [roles.cell(row, 'orgSourcedId')]);
  }
  for (const row of users.rows) {
    if (users.cell(row, 'role') === 'student') {
      add(users.cell(row, 'sourcedId'), users.cells(row, 'orgSourcedIds'));
    }
  }
  return found;
}

interface PlanInput {
  readonly roster: Roster;
  /** `sourcedId` of a school in the roster. */
  readonly school: string;
  readonly classes: readonly ClassSummary[];
  readonly grades: readonly Pick<Grade, 'name'>[];
}

/** Plans the import of a school's students from the file alone. Then a dry run asks the server for the effect. */
export function planRoster({ roster, school, classes, grades }: PlanInput): RosterPlan {
  const { users } = roster;
  const findClass = classFinder(classes);
  const gradeNameOf = gradeFinder(grades);
  const enrolled = enrollmentsOf(roster, classesOf(roster, school));
  const schools = schoolsOfStudents(roster);
  const seen = new Set<string>();
  const seenIds = new Set<string>();
  const leftOut = { staff: 0, deleted: 0, furtherClasses: 0 };
  const students: PlannedRow[] = [];
  for (const [index, row] of users.rows.entries()) {
    const sourcedId = users.cell(row, 'sourcedId');
    const own = enrolled.get(sourcedId) ?? [];
    const ofStudent = schools.get(sourcedId);
    if (!ofStudent) {
      leftOut.staff++;
      continue;
    }
    if (!ofStudent.has(school) && own.length === 0) continue;
    if (isToBeDeleted(users, row)) {
      leftOut.deleted++;
      continue;
    }
    const chosen = own.find(({ isHomeroom }) => isHomeroom) ?? own[0];
    leftOut.furtherClasses += Math.max(0, own.length - 1);
    const [gradeCode = ''] =
      chosen?.grades.length === 1
        ? chosen.grades
        : [...users.cells(row, 'grades'), ...(chosen?.grades ?? [])];
    const named = { className: chosen?.title ?? '', gradeName: gradeNameOf(gradeCode) };
    const found = named.className === '' ? ('classMissing' as const) : findClass(named);
    const username = toHalfWidth(users.cell(row, 'username') || users.cell(row, 'identifier'));
    const ownName = joinName({
      givenName: users.cell(row, 'givenName'),
      middleName: users.cell(row, 'middleName'),
      familyName: users.cell(row, 'familyName'),
    });
    const actualName = ownName || username;
    const problem =
      idProblemOf(sourcedId, seenIds) ??
      rowProblemOf({ username, actualName, ownName }, seen) ??
      (typeof found === 'string' ? found : null);
    seen.add(username);
    seenIds.add(sourcedId);
    students.push({
      line: index + 2,
      externalId: isClassledgerId(sourcedId) ? users.cell(row, 'identifier') || null : sourcedId,
      cardNumber: null,
      username,
      actualName,
      isNamed: ownName !== '',
      disabled: disabledIn(users.cell(row, 'enabledUser')),
      classId: typeof found === 'string' ? null : found.id,
      classLabel: typeof found === 'string' ? namedClassLabel(named) : `${found.gradeName} ${found.name}`,
      problem,
      unknownClass: problem === 'classUnknown' ? named : null,
      wide: { username: null, classLabel: null },
      ...{ named: null, namesakeIn: null, isFilled: false },
    });
  }
  return { students, leftOut };
}

const disabledIn = (enabled: string): boolean | null =>
  enabled === '' ? null : enabled.toLowerCase() === 'false';

function idProblemOf(sourcedId: string, seen: ReadonlySet<string>) {
  if (
    sourcedId === '' ||
    [...sourcedId].length > limits.identifierLengthMax ||
    /[\p{Cc}\p{Cs}]/u.test(sourcedId)
  ) {
    return 'idUnusable' as const;
  }
  return seen.has(sourcedId) ? ('idTwice' as const) : null;
}

/** Finds the grade of a code such as "07": 初一, Grade 7, or the only grade with that number in its name. */
function gradeFinder(grades: readonly Pick<Grade, 'name'>[]) {
  return (code: string) => {
    if (code === '' || grades.some(({ name }) => normalizeText(name) === normalizeText(code))) return code;
    const number = /^0*(\d{1,2})$/.exec(code)?.[1];
    if (number === undefined) return code;
    const same = grades.filter(
      ({ name }) =>
        gradeCodeOf(name) === number.padStart(2, '0') ||
        /^\D*0*(\d+)\D*$/.exec(toHalfWidth(name))?.[1] === number,
    );
    return same.length === 1 ? (same[0]?.name ?? code) : code;
  };
}
