import { limits } from 'virtual:contract';
import type { ClassSummary, Grade } from '@classledger/contract';
import { gradeCodeOf } from '@classledger/contract/grade-names';
import { toHalfWidth } from '../../../../i18n/letters.ts';
import { joinName } from '../../../../rosters/names.ts';
import { isToBeDeleted, type Roster, valuesOf } from '../../../../rosters/read-roster.ts';
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
  orgs
    .filter((org) => org.type === 'school' && !isToBeDeleted(org))
    .map(({ sourcedId = '', name = '' }) => ({ sourcedId, name }));

interface RosterClass {
  readonly title: string;
  readonly grades: readonly string[];
  readonly isHomeroom: boolean;
}

function classesOf({ classes, courses }: Roster, school: string): Map<string, RosterClass> {
  const gradesOfCourse = new Map(
    courses.map(({ sourcedId = '', title = '', grades }) =>
      // In files from Classledger, a course is a grade: its title has the full name, `grades` only a code.
      [sourcedId, isClassledgerId(sourcedId) ? [title] : valuesOf(grades)],
    ),
  );
  const found = new Map<string, RosterClass>();
  for (const row of classes) {
    if (row.schoolSourcedId !== school || isToBeDeleted(row)) continue;
    const { sourcedId = '', title = '', courseSourcedId = '', classType } = row;
    const own = isClassledgerId(courseSourcedId) ? [] : valuesOf(row.grades);
    const grades = own.length > 0 ? own : (gradesOfCourse.get(courseSourcedId) ?? []);
    found.set(sourcedId, { title: toHalfWidth(title), grades, isHomeroom: classType === 'homeroom' });
  }
  return found;
}

function classesOfStudents({ enrollments }: Roster, known: ReadonlyMap<string, RosterClass>) {
  const found = new Map<string, Set<RosterClass>>();
  for (const row of enrollments) {
    const { classSourcedId = '', userSourcedId = '', role } = row;
    const own = known.get(classSourcedId);
    if (!own || role !== 'student' || isToBeDeleted(row)) continue;
    found.set(userSourcedId, (found.get(userSourcedId) ?? new Set()).add(own));
  }
  return found;
}

/** Maps students to their schools, from `roles.csv`, or from the user's own columns in version 1.1. */
function schoolsOfStudents({ roles, users }: Roster): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const add = (user: string, schools: readonly string[]) =>
    found.set(user, new Set([...(found.get(user) ?? []), ...schools]));
  for (const row of roles) {
    const { userSourcedId = '', role, orgSourcedId = '' } = row;
    if (role === 'student' && !isToBeDeleted(row)) add(userSourcedId, [orgSourcedId]);
  }
  for (const { sourcedId = '', role, orgSourcedIds } of users) {
    if (role === 'student') add(sourcedId, valuesOf(orgSourcedIds));
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
  const findClass = classFinder(classes);
  const gradeNameOf = gradeFinder(grades);
  const classesOfStudent = classesOfStudents(roster, classesOf(roster, school));
  const schools = schoolsOfStudents(roster);
  const seen = new Set<string>();
  const seenIds = new Set<string>();
  const leftOut = { staff: 0, deleted: 0, furtherClasses: 0 };
  const students: PlannedRow[] = [];
  for (const [index, user] of roster.users.entries()) {
    const { sourcedId = '', identifier = '', enabledUser = '' } = user;
    const own = [...(classesOfStudent.get(sourcedId) ?? [])];
    const ofStudent = schools.get(sourcedId);
    if (!ofStudent) {
      leftOut.staff++;
      continue;
    }
    if (!ofStudent.has(school) && own.length === 0) continue;
    if (isToBeDeleted(user)) {
      leftOut.deleted++;
      continue;
    }
    const chosen = own.find(({ isHomeroom }) => isHomeroom) ?? own[0];
    leftOut.furtherClasses += Math.max(0, own.length - 1);
    const ofClass = chosen?.grades ?? [];
    const [gradeCode = ''] = ofClass.length === 1 ? ofClass : [...valuesOf(user.grades), ...ofClass];
    const named = { className: chosen?.title ?? '', gradeName: gradeNameOf(gradeCode) };
    const found = named.className === '' ? ('classMissing' as const) : findClass(named);
    const username = toHalfWidth(user.username || identifier);
    const { givenName = '', middleName = '', familyName = '' } = user;
    const ownName = joinName({ givenName, middleName, familyName });
    const actualName = ownName || username;
    const problem =
      idProblemOf(sourcedId, seenIds) ??
      rowProblemOf({ username, actualName, ownName }, seen) ??
      (typeof found === 'string' ? found : null);
    seen.add(username);
    seenIds.add(sourcedId);
    students.push({
      line: index + 2,
      externalId: isClassledgerId(sourcedId) ? identifier || null : sourcedId,
      cardNumber: null,
      username,
      actualName,
      isNamed: ownName !== '',
      disabled: enabledUser === '' ? null : enabledUser.toLowerCase() === 'false',
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
