import type { InternalOperationId } from '@classledger/contract';
import { type ExpectedAccess, get, newCredential, newPerson, row, who } from './internal-access-rows.ts';

/** Calls whose answer depends on the named target or on a missing name. */
export const accessVariants: readonly (readonly [
  operation: InternalOperationId,
  note: string,
  row: ExpectedAccess,
])[] = [
  ['listSchoolClasses', 'all', row(who.ofTheSchool, null, get('/classes'))],
  ['listUsers', 'all', row(who.ofTheSchool, null, get('/users'))],
  ['listScoreLogs', 'all', row(who.ofTheSchool, null, get('/scores/logs'))],
  ['listScoreTemplates', 'all', row(who.ofTheSchool, null, get('/scores/templates'))],
  ['listSeats', 'all', row(who.ofTheSchool, null, get('/seats/data'))],
  ['listTerms', 'all', row(who.ofTheSchool, null, get('/admin/terms'))],
  ['getStatsOverview', 'all', row(who.ofTheSchool, null, get('/stats/overview'))],
  ['listDayTotals', 'all', row(who.ofTheSchool, null, get('/stats/records'))],
  ['compareClasses', 'all', row(who.ofTheSchool, null, get('/stats/classes'))],
  ['rankStudents', 'all', row(who.ofTheSchool, null, get('/stats/leaders'))],
  ...(
    [
      ['listUsers', '/users'],
      ['listScoreLogs', '/scores/logs'],
      ['getStatsOverview', '/stats/overview'],
      ['listDayTotals', '/stats/records'],
      ['rankStudents', '/stats/leaders'],
    ] as const
  ).map(
    ([id, path]) =>
      [
        id,
        'of a grade',
        row(who.seeingTheGrade, 'grade', ({ place }) => ({ path: `${path}?gradeId=${place.gradeId}` })),
      ] as const,
  ),
  ...(
    [
      ['listScoreLogs', '/scores/logs'],
      ['listDayTotals', '/stats/records'],
    ] as const
  ).map(
    ([id, path]) =>
      [
        id,
        'of a class',
        row(who.inRange, 'class', ({ place }) => ({ path: `${path}?classId=${place.classId}` })),
      ] as const,
  ),
  [
    'listScoreLogs',
    'of a closed term',
    row(who.inRange, 'term', async ({ world, place }) => ({
      path: `/scores/logs?term=${await world.newTerm(place)}`,
    })),
  ],
  [
    'updateSchoolClass',
    'a move',
    row(who.gradeAdmins, 'grade', ({ world, place }) => ({
      path: `/classes/${world.home.classId}`,
      body: { gradeId: place.gradeId },
    })),
  ],
  [
    'createUsers',
    'a batch',
    row(who.inRange, 'class', ({ world, place }) => ({
      path: '/users',
      body: { classId: place.classId, students: [{ username: world.newName() }] },
    })),
  ],
  [
    'updateUser',
    'a move',
    row(who.inRange, 'class', ({ world, place }) => ({
      path: `/users/${world.home.student.id}`,
      body: { classId: place.classId },
    })),
  ],
  [
    'addScores',
    'students that fail alone',
    row(who.ofTheSchool, null, ({ place }) => ({
      path: '/scores/batch',
      body: { scoreChange: 1, items: [{ userId: place.student.id }] },
    })),
  ],
  [
    'createScoreTemplate',
    'school-wide',
    row(who.schoolAdmins, null, ({ world }) => ({
      path: '/scores/templates',
      body: { name: world.newName(), scoreChange: 1 },
    })),
  ],
  [
    'updateScoreTemplate',
    'school-wide',
    row(who.schoolAdmins, 'template', async ({ world, place }) => ({
      path: `/scores/templates/${await world.newSchoolTemplate(place)}`,
      body: { scoreChange: 2 },
    })),
  ],
  [
    'deleteScoreTemplate',
    'school-wide',
    row(who.schoolAdmins, 'template', async ({ world, place }) => ({
      path: `/scores/templates/${await world.newSchoolTemplate(place)}`,
    })),
  ],
  [
    'updateSeat',
    'by the student',
    row(who.inRange, 'student', async ({ world, place }) => ({
      path: `/seats/data/${await world.newSeat(world.home)}`,
      body: { userId: place.student.id },
    })),
  ],
  [
    'getAdministrator',
    'of the school',
    row(who.superAdmins, null, ({ world }) => ({ path: `/admin/manage/${world.staff.school.id}` })),
  ],
  [
    'createAdministrator',
    'of the grade',
    row(who.schoolAdmins, 'grade', ({ world, place }) => ({
      path: '/admin/manage',
      body: { ...newPerson(world), role: 'grade_admin', gradeId: place.gradeId },
    })),
  ],
  [
    'createAdministrator',
    'of the school',
    row(who.superAdmins, null, ({ world }) => ({
      path: '/admin/manage',
      body: { ...newPerson(world), role: 'school_admin' },
    })),
  ],
  [
    'createAdministrator',
    'of everything',
    row(who.superAdmins, null, ({ world }) => ({
      path: '/admin/manage',
      body: { ...newPerson(world), role: 'super_admin' },
    })),
  ],
  [
    'listActivity',
    'of one',
    row(who.inRange, null, ({ world }) => ({ path: `/admin/activity?adminId=${world.staff.class.id}` })),
  ],
  [
    'issueCredential',
    'for the grade',
    row(who.gradeAdmins, 'grade', ({ world, place }) => ({
      path: '/api-tokens',
      body: { ...newCredential(world), scopeType: 'grade', scopeGradeId: place.gradeId },
    })),
  ],
  [
    'issueCredential',
    'for the school',
    row(who.schoolAdmins, null, ({ world }) => ({
      path: '/api-tokens',
      body: { ...newCredential(world), scopeType: 'school' },
    })),
  ],
];
