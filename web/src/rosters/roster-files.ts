export const rosterColumns = {
  academicSessions: ['title', 'type', 'startDate', 'endDate', 'parentSourcedId', 'schoolYear'],
  orgs: ['name', 'type', 'identifier', 'parentSourcedId'],
  courses: [
    'schoolYearSourcedId',
    'title',
    'courseCode',
    'grades',
    'orgSourcedId',
    'subjects',
    'subjectCodes',
  ],
  classes: [
    'title',
    'grades',
    'courseSourcedId',
    'classCode',
    'classType',
    'location',
    'schoolSourcedId',
    'termSourcedIds',
    'subjects',
    'subjectCodes',
    'periods',
  ],
  users: [
    'enabledUser',
    'username',
    'userIds',
    'givenName',
    'familyName',
    'middleName',
    'identifier',
    'email',
    'sms',
    'phone',
    'agentSourcedIds',
    'grades',
    'password',
    'userMasterIdentifier',
    'preferredGivenName',
    'preferredMiddleName',
    'preferredFamilyName',
    'primaryOrgSourcedId',
    'pronouns',
  ],
  roles: [
    'userSourcedId',
    'roleType',
    'role',
    'beginDate',
    'endDate',
    'orgSourcedId',
    'userProfileSourcedId',
  ],
  enrollments: [
    'classSourcedId',
    'schoolSourcedId',
    'userSourcedId',
    'role',
    'primary',
    'beginDate',
    'endDate',
  ],
} as const;

export type RosterFile = keyof typeof rosterColumns;

export const commonColumns = ['sourcedId', 'status', 'dateLastModified'] as const;

/** Files of OneRoster that we do not write. The manifest must list them as absent. */
export const absentFiles = [
  'categories',
  'classResources',
  'courseResources',
  'demographics',
  'lineItemLearningObjectiveIds',
  'lineItems',
  'lineItemScoreScales',
  'resources',
  'resultLearningObjectiveIds',
  'results',
  'resultScoreScales',
  'scoreScales',
  'userProfiles',
  'userResources',
] as const;

const ownPrefix = 'classledger-';

export const isClassledgerId = (sourcedId: string) => sourcedId.startsWith(ownPrefix);

export const sourcedIds = {
  school: (id: number) => `${ownPrefix}school-${id}`,
  year: (schoolId: number, schoolYear: string) => `${ownPrefix}year-${schoolId}-${schoolYear}`,
  course: (gradeId: number) => `${ownPrefix}course-${gradeId}`,
  class: (id: number) => `${ownPrefix}class-${id}`,
  student: (id: number) => `${ownPrefix}student-${id}`,
  enrollment: (studentId: number, classId: number) => `${ownPrefix}enrollment-${studentId}-${classId}`,
} as const;
