import type { ClassSummary, Grade, ListedStudent } from '@classledger/contract';
import { gradeCodeOf } from '@classledger/contract/grade-names';
import { schoolYearOf } from '@classledger/contract/school-day';
import { strToU8, zipSync } from '../spreadsheets/zip-without-workers.ts';
import { splitName } from './names.ts';
import { absentFiles, commonColumns, type RosterFile, rosterColumns, sourcedIds } from './roster-files.ts';

export interface RosterContent {
  readonly school: { readonly id: number; readonly name: string; readonly schoolDb: string };
  readonly grades: readonly Pick<Grade, 'id' | 'name'>[];
  readonly classes: readonly Pick<ClassSummary, 'id' | 'name' | 'gradeId' | 'gradeName'>[];
  readonly students: readonly Pick<
    ListedStudent,
    'id' | 'username' | 'actualName' | 'externalId' | 'disabled' | 'classId' | 'gradeName'
  >[];
  readonly today: string;
}

/** One row of a file. Missing columns stay empty, as OneRoster requires for bulk files. */
type Entry = Readonly<Record<string, string>> & { readonly sourcedId: string };

/** Writes OneRoster 1.2. Does not escape formulas in cells, because OneRoster forbids it (docs/oneroster.md, Files). */
export function rosterArchive(content: RosterContent): Uint8Array {
  const texts = rosterCsvFiles(content);
  return zipSync(Object.fromEntries([...texts].map(([name, text]) => [`${name}.csv`, strToU8(text)])));
}

export function rosterCsvFiles(content: RosterContent): Map<string, string> {
  const entries = Object.entries(entriesOf(content)) as [RosterFile, readonly Entry[]][];
  // OneRoster forbids files without rows, so the manifest lists an empty file as absent.
  const present = entries.filter(([, list]) => list.length > 0);
  const names = new Set<string>(present.map(([name]) => name));
  const manifest = [
    ['propertyName', 'value'],
    ['manifest.version', '1.0'],
    ['oneroster.version', '1.2'],
    ...[...absentFiles, ...entries.map(([name]) => name)]
      .sort()
      .map((name) => [`file.${name}`, names.has(name) ? 'bulk' : 'absent']),
    ['source.systemName', 'Classledger'],
    ['source.systemCode', content.school.schoolDb],
  ];
  return new Map([
    ['manifest', csvOf(manifest)],
    ...present.map(([name, list]) => {
      const columns = [...commonColumns, ...rosterColumns[name]];
      return [
        name,
        csvOf([columns, ...list.map((entry) => columns.map((column) => entry[column] ?? ''))]),
      ] as const;
    }),
  ]);
}

function entriesOf(content: RosterContent): Record<RosterFile, readonly Entry[]> {
  const { school, grades, classes, students, today } = content;
  const schoolId = sourcedIds.school(school.id);
  const { title, startDate, endDate, schoolYear } = schoolYearOf(today);
  const year = sourcedIds.year(school.id, schoolYear);
  return {
    academicSessions: [{ sourcedId: year, title, type: 'term', startDate, endDate, schoolYear }],
    orgs: [{ sourcedId: schoolId, name: school.name, type: 'school', identifier: school.schoolDb }],
    courses: grades.map(({ id, name }) => ({
      sourcedId: sourcedIds.course(id),
      title: name,
      courseCode: String(id),
      grades: gradeCodeOf(name),
      orgSourcedId: schoolId,
    })),
    classes: classes.map(({ id, name, gradeId, gradeName }) => ({
      sourcedId: sourcedIds.class(id),
      title: name,
      grades: gradeCodeOf(gradeName),
      courseSourcedId: sourcedIds.course(gradeId),
      classType: 'homeroom',
      schoolSourcedId: schoolId,
      termSourcedIds: year,
    })),
    users: students.map((student) => ({
      sourcedId: sourcedIds.student(student.id),
      enabledUser: student.disabled ? 'false' : 'true',
      username: student.username,
      ...splitName(student.actualName),
      identifier: student.externalId ?? '',
      grades: gradeCodeOf(student.gradeName),
      primaryOrgSourcedId: schoolId,
    })),
    roles: students.map((student) => ({
      sourcedId: `classledger-role-${student.id}`,
      userSourcedId: sourcedIds.student(student.id),
      roleType: 'primary',
      role: 'student',
      orgSourcedId: schoolId,
    })),
    enrollments: students.map((student) => ({
      sourcedId: sourcedIds.enrollment(student.id, student.classId),
      classSourcedId: sourcedIds.class(student.classId),
      schoolSourcedId: schoolId,
      userSourcedId: sourcedIds.student(student.id),
      role: 'student',
    })),
  };
}

/** Formats CSV (RFC 4180). Replaces line ends in cells, because OneRoster forbids them. */
const csvOf = (rows: readonly (readonly string[])[]) =>
  rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');

function quoted(cell: string): string {
  const text = cell.replace(/[\r\n]+/g, ' ');
  return /^\s|\s$|[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
