const words = (text: string): readonly string[] => text.split(' ');

export const commonColumns = words('sourcedId status dateLastModified');

export const rosterColumns = {
  academicSessions: words('title type startDate endDate parentSourcedId schoolYear'),
  orgs: words('name type identifier parentSourcedId'),
  courses: words('schoolYearSourcedId title courseCode grades orgSourcedId subjects subjectCodes'),
  classes: [
    ...words('title grades courseSourcedId classCode classType location schoolSourcedId termSourcedIds'),
    ...words('subjects subjectCodes periods'),
  ],
  users: [
    ...words('enabledUser username userIds givenName familyName middleName identifier email sms phone'),
    ...words('agentSourcedIds grades password userMasterIdentifier preferredGivenName'),
    ...words('preferredMiddleName preferredFamilyName primaryOrgSourcedId pronouns'),
  ],
  roles: words('userSourcedId roleType role beginDate endDate orgSourcedId userProfileSourcedId'),
  enrollments: words('classSourcedId schoolSourcedId userSourcedId role primary beginDate endDate'),
};

export type RosterFile = keyof typeof rosterColumns;

/** Files of OneRoster that we do not write. The manifest must list them as absent. */
export const absentFiles = [
  ...words('categories classResources courseResources demographics lineItemLearningObjectiveIds lineItems'),
  ...words('lineItemScoreScales resources resultLearningObjectiveIds results resultScoreScales scoreScales'),
  ...words('userProfiles userResources'),
];

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
