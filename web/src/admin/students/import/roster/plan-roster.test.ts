import type { ClassSummary } from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import type { Roster } from '../../../../rosters/read-roster.ts';
import { importEntryOf } from '../check-import.ts';
import { planRoster, rosterSchoolsOf } from './plan-roster.ts';

const table = (text: string) => {
  const [header = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return rows.map((cells) => Object.fromEntries(header.map((column, index) => [column, cells[index]])));
};

const roster: Roster = {
  version: '1.2',
  isGuess: false,
  orgs: table(`
    sourcedId | status | name | type
    d | | District | district
    s1 | | North | school
    s2 | | South | school
    s3 | tobedeleted | Gone | school`),
  courses: table(`
    sourcedId | grades
    math | 08`),
  classes: table(`
    sourcedId | title | grades | classType | schoolSourcedId | courseSourcedId
    h7 | A | 07 | homeroom | s1 | math
    m7 | Maths | | scheduled | s1 | math
    x | A | 07 | homeroom | s2 | math
    n | New | 9 | homeroom | s1 | math`),
  users: table(`
    sourcedId | status | enabledUser | username | identifier | givenName | familyName | grades
    1 | active | true | ann | | Ann | Lee | 07
    2 | | false | | S-2 | 小明 | 王 | 07
    3 | | true | cy | | Cy | - |
    4 | | true | dee | | Dee | Dum | 07
    5 | tobedeleted | true | eve | | Eve | E | 07
    6 | | true | new | | New | One |
    7 | | true | elsewhere | | E | W | 07
    t | | true | teacher | | T | T |
    classledger-student-9 | | true | back | | Back | Again | 07
    1 | | true | twice | | T | W | 07
    8 | | true | | | No | Name | 07`),
  roles: table(`
    userSourcedId | role | orgSourcedId
    1 | student | s1
    2 | student | s1
    3 | student | s1
    4 | student | s1
    5 | student | s1
    6 | student | s1
    7 | student | s2
    8 | student | s1
    t | teacher | s1
    classledger-student-9 | student | s1`),
  enrollments: table(`
    classSourcedId | userSourcedId | role | status
    m7 | 1 | student |
    h7 | 1 | student |
    h7 | 2 | student |
    m7 | 3 | student |
    h7 | 4 | student | tobedeleted
    h7 | 5 | student |
    n | 6 | student |
    x | 7 | student |
    h7 | t | teacher |
    h7 | classledger-student-9 | student |
    h7 | 8 | student |`),
};
const classes = [
  { id: 71, name: 'A', gradeId: 7, gradeName: 'Grade 7' },
  { id: 81, name: 'Maths', gradeId: 8, gradeName: 'Grade 8' },
] as ClassSummary[];
const grades = [{ name: 'Grade 7' }, { name: 'Grade 8' }];
const plan = (read: Roster, school = 's1') => planRoster({ roster: read, school, classes, grades });

describe('Plan of a roster', () => {
  it('matches students by id, username, name and class, and reports problems', () => {
    const { students, leftOut } = plan(roster);
    const rows = students.map((one) => [
      one.externalId,
      one.username,
      one.actualName,
      one.classId,
      one.disabled,
      one.problem,
    ]);
    expect(rows).toEqual([
      // The homeroom class, although another class comes first.
      ['1', 'ann', 'Ann Lee', 71, false, null],
      ['2', 'S-2', '王小明', 71, true, null],
      // A single class, with the grade of its course.
      ['3', 'cy', 'Cy', 81, false, null],
      ['4', 'dee', 'Dee Dum', null, false, 'classMissing'],
      ['6', 'new', 'New One', null, false, 'classUnknown'],
      // Has an id of Classledger, so no external id.
      [null, 'back', 'Back Again', 71, false, null],
      ['1', 'twice', 'T W', 71, false, 'idTwice'],
      ['8', '', 'No Name', 71, false, 'usernameMissing'],
    ]);
    expect(students.find(({ username }) => username === 'new')?.unknownClass).toEqual({
      className: 'New',
      gradeName: '9',
    });
    expect(leftOut).toEqual({ staff: 1, deleted: 1, furtherClasses: 2 });
    expect(rosterSchoolsOf(roster).map(({ name }) => name)).toEqual(['North', 'South']);
    expect(plan(roster, 's2').students.map(({ username }) => username)).toEqual(['elsewhere']);
  });

  it('reads the roles of version 1.1 from the users', () => {
    const users = table(`
      sourcedId | role | orgSourcedIds | username | givenName | familyName
      1 | student | d,s1 | ann | Ann | Lee
      t | teacher | s1 | t | T | T`);
    const [ann, ...others] = plan({ ...roster, version: '1.1', users, roles: [] }).students;
    expect([ann?.username, others]).toEqual(['ann', []]);
  });

  it('keeps values that the roster does not contain', () => {
    const users = (columns: string, enabled = '') =>
      table(`
        sourcedId | role | orgSourcedIds | username | givenName | familyName ${columns}
        1 | student | s1 | ann | | - ${enabled}
        2 | student | s1 | bo | Bo | Lee ${enabled}`);
    const entriesOf = (columns: string, enabled = '') => {
      const old: Roster = { ...roster, version: '1.1', users: users(columns, enabled), roles: [] };
      return plan(old).students.map(importEntryOf);
    };
    const unsaid = [
      { line: 2, externalId: '1', username: 'ann', classId: 71 },
      { line: 3, externalId: '2', username: 'bo', actualName: 'Bo Lee', classId: 71 },
    ];
    expect(entriesOf('')).toEqual(unsaid);
    expect(entriesOf('| enabledUser', '| ')).toEqual(unsaid);
    expect(entriesOf('| enabledUser', '| TRUE')).toEqual(unsaid.map((one) => ({ ...one, disabled: false })));
  });
});
