import { randomUUID } from 'node:crypto';
import { type InternalOperationId, permissionNames } from '@classledger/contract';
import { codeOfStep, fromBase32 } from '../src/features/second-factor/code-app.ts';
import { Authenticator, addPasskey, askForPasskey, type PasskeyChallenge } from './authenticator.ts';
import {
  type AccessCall,
  type AccessWorld,
  application,
  type Caller,
  type Identity,
  identities,
  signInProvider,
} from './internal-access-world.ts';

type Statuses = Readonly<Record<Identity, number>>;

const statuses = (...list: [...(readonly number[] & { length: 12 })]) =>
  Object.fromEntries(identities.map((identity, index) => [identity, list[index]])) as Statuses;

/** The allowed calls by identity, without the role table (docs/contract.md, Roles and Missing or out of range). */
// biome-ignore format: a table is read by its columns.
const who = {
  //                     no one   super school grade class  other: grade class   foreign   teacher other   student credential
  anybody:        statuses(200,  200, 200, 200, 200,  200, 200,  200,  200, 200,  200, 200),
  signedIn:       statuses(401,  200, 200, 200, 200,  200, 200,  200,  200, 200,  401, 401),
  students:       statuses(401,  401, 401, 401, 401,  401, 401,  401,  401, 401,  200, 401),
  superAdmins:    statuses(401,  200, 403, 403, 403,  403, 403,  403,  403, 403,  401, 401),
  /** A school is chosen; everyone sees their own range in it. */
  ofTheSchool:    statuses(401,  200, 200, 200, 200,  200, 200,  403,  200, 200,  401, 401),
  /** The same, but subject teachers manage nothing. */
  managingAny:    statuses(401,  200, 200, 200, 200,  200, 200,  403,  403, 403,  401, 401),
  /** The same without a school. */
  issuers:        statuses(401,  200, 200, 200, 200,  200, 200,  200,  403, 403,  401, 401),
  /** The same as `managingAny`, but class administrators manage nobody. */
  managers:       statuses(401,  200, 200, 200, 403,  200, 403,  403,  403, 403,  401, 401),
  /** The target belongs to the school as a whole. */
  schoolAdmins:   statuses(401,  200, 200, 403, 403,  403, 403,  403,  403, 403,  401, 401),
  /** The target is the grade, or class administrators may not call it. */
  gradeAdmins:    statuses(401,  200, 200, 200, 403,  403, 403,  403,  403, 403,  401, 401),
  /** The target is the class or something in it. */
  inRange:        statuses(401,  200, 200, 200, 200,  403, 403,  403,  403, 403,  401, 401),
  /** The same, and who teaches the class may do it. */
  teaching:       statuses(401,  200, 200, 200, 200,  403, 403,  403,  200, 403,  401, 401),
  /** A filter by grade, which administrators and teachers of any class in the grade may use. */
  seeingTheGrade: statuses(401,  200, 200, 200, 200,  403, 200,  403,  200, 403,  401, 401),
} as const;

interface ExpectedAccess extends Omit<AccessCall, 'operation'> {
  readonly expected: Statuses;
}

export interface Row extends ExpectedAccess {
  readonly operation: InternalOperationId;
  readonly note: string | null;
}

const row = (
  expected: Statuses,
  names: AccessCall['names'] = null,
  call: AccessCall['call'] = () => ({}),
): ExpectedAccess => ({ expected, names, call });

const newPerson = (world: AccessWorld) => ({ username: world.newName(), password: 'secret-password' });
const newCredential = (world: AccessWorld) => ({ name: world.newName(), scopes: permissionNames });

/** Returns the calling administrator, or the school's administrator if the caller is no administrator. */
const sessionOf = ({ staff }: AccessWorld, { username }: Caller) =>
  Object.values(staff).find((each) => each.username === username) ?? staff.school;

/** Stores an administrator's passkey that no authenticator has. */
async function storePasskey({ test }: AccessWorld, { username }: Caller): Promise<number> {
  const rows = await test.rows(
    `INSERT INTO passkey (admin_id, credential_id, public_key, counter, rp_id, transports, name, created_at)
     SELECT id, $2, '', 0, 'localhost', '{}', 'Key', now() FROM admin WHERE username = $1 RETURNING id`,
    username,
    randomUUID(),
  );
  return rows[0]?.id ?? 1;
}

/** Stores an administrator's code app that no device has. */
async function storeCodeApp({ test }: AccessWorld, column: 'id' | 'username', value: number | string) {
  await test.database.pool.query(
    `INSERT INTO code_app (admin_id, sealed_secret, last_step, created_at)
     SELECT id, '', 0, now() FROM admin WHERE ${column} = $1`,
    [value],
  );
}

const challenge = (world: AccessWorld, caller: Caller, path: string) =>
  sessionOf(world, caller).created<PasskeyChallenge>(`${path}/challenge`, {});

const factorRows = {
  startPasskeyLogin: row(who.anybody),
  loginWithPasskey: row(who.anybody, null, async (_, { world, caller }) => {
    // The caller signs in with a password first, so the passkey belongs to another administrator.
    const { school, grade } = world.staff;
    const authenticator = new Authenticator();
    await addPasskey(caller === school ? grade : school, authenticator);
    const { asked, cookie } = await askForPasskey(world.test);
    return { body: authenticator.answer(asked), cookie };
  }),
  startPasskeyConfirmation: row(who.signedIn),
  confirmWithPasskey: row(who.signedIn, null, async (_, { world, caller }) => {
    const authenticator = new Authenticator();
    await addPasskey(sessionOf(world, caller), authenticator);
    return { body: authenticator.answer(await challenge(world, caller, '/auth/confirm/passkey')) };
  }),

  getSecondFactor: row(who.signedIn),
  startCodeApp: row(who.signedIn),
  confirmCodeApp: row(who.signedIn, null, async (_, { world, caller }) => {
    type Started = { secret: string; enrolment: string };
    const session = sessionOf(world, caller);
    const { secret, enrolment } = await session.created<Started>('/auth/second-factor/app', {});
    const code = codeOfStep(fromBase32(secret), Math.floor(world.test.clock.now().getTime() / 30_000));
    return { body: { enrolment, code } };
  }),
  removeCodeApp: row(who.signedIn, null, async (_, { world, caller }) => {
    await storeCodeApp(world, 'username', caller.username);
    return {};
  }),
  createRecoveryCodes: row(who.signedIn, null, async (_, { world, caller }) => {
    await storeCodeApp(world, 'username', caller.username);
    return {};
  }),
  startPasskey: row(who.signedIn),
  addPasskey: row(who.signedIn, null, async (_, { world, caller }) => ({
    body: new Authenticator().make(await challenge(world, caller, '/auth/passkeys')),
  })),
  renamePasskey: row(who.signedIn, null, async (_, { world, caller }) => ({
    id: await storePasskey(world, caller),
    body: { name: world.newName() },
  })),
  removePasskey: row(who.signedIn, null, async (_, { world, caller }) => ({
    id: await storePasskey(world, caller),
  })),

  resetSecondFactor: row(who.gradeAdmins, 'newClassAdmin', async (id, { world }) => {
    await storeCodeApp(world, 'id', id);
    return {};
  }),
  getSecondFactorRoles: row(who.superAdmins),
  updateSecondFactorRoles: row(who.superAdmins, null, () => ({ body: { roles: [] } })),
};

/** Calls of each operation, made of its path in the contract. Does not compile if an operation is missing. */
const plain = {
  login: row(who.anybody, null, (_, { world: { staff } }) => ({
    body: { username: staff.school.username, password: staff.school.password },
  })),
  logout: row(who.signedIn),
  getMe: row(who.signedIn),
  changeMyPassword: row(who.signedIn, null, (_, { caller: { password } }) => ({
    body: { oldPassword: password, newPassword: `${password}, another one` },
  })),

  confirm: row(who.signedIn, null, (_, { caller: { password } }) => ({ body: { password } })),
  listSessions: row(who.signedIn),
  endSession: row(who.signedIn, null, async (_, { world, caller }) => ({
    id: await world.newSession(caller),
  })),
  endOtherSessions: row(who.signedIn),

  ...factorRows,

  studentLogin: row(who.anybody, null, (_, { world: { student, home } }) => ({
    body: { username: student.username, password: student.password, schoolDb: home.schoolDb },
  })),
  signInByCode: row(who.anybody, null, async (_, { world, place }) => ({
    body: { code: await world.newSignInCode(place) },
  })),
  studentLogout: row(who.students),
  getStudentMe: row(who.students),
  changeStudentPassword: row(who.students, null, (_, { caller: { password } }) => ({
    body: { oldPassword: password, newPassword: `${password}, another one` },
  })),
  listStudentSessions: row(who.students),
  endStudentSession: row(who.students, 'newStudentSession'),
  endOtherStudentSessions: row(who.students),
  listStudentEvents: row(who.students),
  listClassmates: row(who.students),
  listOwnScores: row(who.students),
  listOwnDayTotals: row(who.students),
  listOwnCategoryTotals: row(who.students),

  listSchools: row(who.signedIn),
  getSchool: row(who.ofTheSchool, null, (_, { place }) => ({ id: place.schoolId })),
  getSchoolDefaults: row(who.superAdmins),
  createSchool: row(who.superAdmins, null, (_, { world }) => ({ body: { name: world.newName() } })),
  updateSchool: row(who.superAdmins, null, (_, { place }) => ({
    id: place.schoolId,
    body: { name: place.schoolName },
  })),
  deleteSchool: row(who.superAdmins, 'newSchool'),

  listSignInChoices: row(who.anybody, null, (_, { place }) => ({
    query: { for: 'students', schoolDb: place.schoolDb },
  })),
  listSignInProviders: row(who.superAdmins, 'newSignInProvider'),
  createSignInProvider: row(who.superAdmins, null, (_, { world }) => ({
    body: signInProvider(world.newName()),
  })),
  updateSignInProvider: row(who.superAdmins, 'newSignInProvider', () => ({
    body: { scopes: 'openid profile email' },
  })),
  deleteSignInProvider: row(who.superAdmins, 'newSignInProvider'),
  testSignInProvider: row(who.superAdmins, 'newSignInProvider'),
  getLocalSignIn: row(who.superAdmins),
  updateLocalSignIn: row(who.superAdmins, null, () => ({ body: { students: true } })),
  unbindAdministrator: row(who.gradeAdmins, 'newClassAdmin'),
  unbindUser: row(who.inRange, 'student'),

  listSchoolGrades: row(who.ofTheSchool),
  createSchoolGrade: row(who.schoolAdmins, null, (_, { world }) => ({ body: { name: world.newName() } })),
  updateSchoolGrade: row(who.schoolAdmins, 'grade', (_, { world }) => ({ body: { name: world.newName() } })),
  deleteSchoolGrade: row(who.schoolAdmins, 'newGrade'),
  listSchoolClasses: row(who.seeingTheGrade, 'grade', (gradeId) => ({ query: { gradeId } })),
  createSchoolClass: row(who.gradeAdmins, 'grade', (gradeId, { world }) => ({
    body: { gradeId, name: world.newName() },
  })),
  updateSchoolClass: row(who.inRange, 'class', (_, { world }) => ({ body: { name: world.newName() } })),
  deleteSchoolClass: row(who.gradeAdmins, 'newClass'),

  listUsers: row(who.teaching, 'class', (classId) => ({ query: { classId } })),
  getUser: row(who.teaching, 'student'),
  createUsers: row(who.inRange, 'class', (classId, { world }) => ({
    body: { ...newPerson(world), classId },
  })),
  checkImport: row(who.managingAny, null, (_, { world }) => ({
    body: { batch: [{ username: world.newName() }] },
  })),
  startImport: row(who.managingAny, null, (_, { world }) => ({
    body: { source: 'list', batch: [{ username: world.newName() }] },
  })),
  listImports: row(who.managingAny),
  getImport: row(who.schoolAdmins, 'newImport'),
  listImportRows: row(who.schoolAdmins, 'newImport'),
  listImportEffects: row(who.schoolAdmins, 'newImport'),
  undoImport: row(who.schoolAdmins, 'newImport'),
  updateUser: row(who.inRange, 'student', () => ({ body: { actualName: 'Somebody' } })),
  resetUserPassword: row(who.inRange, 'student'),
  resetUserPasswords: row(who.inRange, 'class', async (classId, { world, place }) => ({
    body: { classId, userIds: [await world.newStudent(place)] },
  })),
  deleteUser: row(who.inRange, 'newStudent'),

  exportUser: row(who.schoolAdmins, 'student'),
  eraseUser: row(who.schoolAdmins, 'newStudent'),
  eraseClass: row(who.schoolAdmins, 'newClass', () => ({ body: { students: 0 } })),
  getSchoolSettings: row(who.schoolAdmins),
  updateSchoolSettings: row(who.schoolAdmins, null, () => ({
    body: { classmates: 'front', eraseLeaversAfterDays: 365 },
  })),

  addScore: row(who.teaching, 'student', (userId) => ({ body: { userId, scoreChange: 1 } })),
  // The answer is 200 even if an entry fails, so only the template can make the whole request fail.
  addScores: row(who.teaching, 'newTemplate', (templateId, { place }) => ({
    body: { templateId, items: [{ userId: place.student.id }] },
  })),
  listScoreLogs: row(who.teaching, 'student', (userId) => ({ query: { userId } })),
  revokeScoreLog: row(who.inRange, 'newRecord'),
  revokeScoreLogs: row(who.inRange, 'newRecord', (id) => ({ body: { ids: [id] } })),
  noteScoreLogs: row(who.inRange, 'newRecord', (id) => ({ body: { ids: [id], note: 'Seen' } })),

  getAttendance: row(who.teaching, 'class', (classId) => ({ query: { classId } })),
  markAttendance: row(who.teaching, 'class', (classId, { place }) => ({
    body: { classId, state: 'present', userIds: [place.student.id] },
  })),
  giveForAttendance: row(who.teaching, 'class', (classId) => ({ body: { classId, excused: 1 } })),
  listAbsences: row(who.teaching, 'student', (userId) => ({ query: { userId } })),

  getPicks: row(who.teaching, 'class', (classId) => ({ query: { classId } })),
  markPicks: row(who.teaching, 'class', (classId, { place }) => ({
    body: { classId, day: '2026-09-01', userIds: [place.student.id] },
  })),

  listScoreTemplates: row(who.teaching, 'class', (classId) => ({ query: { classId } })),
  createScoreTemplate: row(who.inRange, 'class', (classId, { world }) => ({
    body: { name: world.newName(), scoreChange: 1, classId },
  })),
  updateScoreTemplate: row(who.inRange, 'newTemplate', () => ({ body: { scoreChange: 2 } })),
  deleteScoreTemplate: row(who.inRange, 'newTemplate'),

  listScoreCategories: row(who.ofTheSchool),
  createScoreCategory: row(who.schoolAdmins, null, (_, { world }) => ({
    body: { code: randomUUID().slice(0, 30), name: world.newName(), colour: 1 },
  })),
  createPresetCategories: row(who.schoolAdmins, null, async (_, { world, place }) => {
    await world.test.rows('DELETE FROM category WHERE school_id = $1', place.schoolId);
    return { body: { preset: 'pbis', language: 'en' } };
  }),
  updateScoreCategory: row(who.schoolAdmins, 'newCategory', () => ({ body: { retired: true } })),

  listSeats: row(who.teaching, 'class', (classId) => ({ query: { classId } })),
  generateSeats: row(who.inRange, 'class', (classId) => ({
    body: { classId, groupCount: 1, rowsPerGroup: 1, colsPerGroup: 1 },
  })),
  updateSeat: row(who.inRange, 'newSeat', (_, { place }) => ({ body: { userId: place.student.id } })),

  getTeams: row(who.teaching, 'class', (classId) => ({ query: { classId } })),
  replaceTeams: row(who.teaching, 'class', async (classId, { world, place }) => ({
    body: { classId, version: await world.versionOfTeams(place), teams: [] },
  })),
  giveTeamPoints: row(who.teaching, 'class', async (classId, { world, place }) => ({
    body: { classId, teamIds: [await world.newTeam(place)], scoreChange: 1 },
  })),
  listTeamRecords: row(who.teaching, 'class', (classId) => ({ query: { classId } })),
  revokeTeamRecords: row(who.inRange, 'class', async (classId, { world, place }) => ({
    body: { classId, ids: [await world.newTeamRecord(place)] },
  })),

  getStatsOverview: row(who.teaching, 'class', (classId) => ({ query: { classId } })),
  listDayTotals: row(who.teaching, 'student', (userId) => ({ query: { userId } })),
  listCategoryTotals: row(who.teaching, 'student', (userId) => ({ query: { userId } })),
  listCategoryDays: row(who.teaching, 'class', (classId) => ({ query: { classId } })),
  compareClasses: row(who.seeingTheGrade, 'grade', (gradeId) => ({ query: { gradeId } })),
  rankStudents: row(who.teaching, 'class', (classId) => ({ query: { classId } })),

  switchTerm: row(who.inRange, 'class', (classId) => ({ body: { classId, action: 'reset' } })),
  listTerms: row(who.teaching, 'class', (classId) => ({ query: { classId } })),
  getTerm: row(who.teaching, 'newTerm'),

  listAnnouncements: row(who.anybody),
  listAllAnnouncements: row(who.superAdmins),
  createAnnouncement: row(who.superAdmins, null, (_, { world }) => ({
    body: { title: world.newName(), content: '<p>News</p>' },
  })),
  previewAnnouncement: row(who.superAdmins, null, () => ({ body: { content: '<p>News</p>' } })),
  updateAnnouncement: row(who.superAdmins, 'newAnnouncement', () => ({ body: { active: 0 } })),
  deleteAnnouncement: row(who.superAdmins, 'newAnnouncement'),

  previewPromotion: row(who.schoolAdmins, null, () => ({ body: {} })),
  promoteSchool: row(who.schoolAdmins, null, async (_, { world }) => ({
    body: await world.newPromotionPlan(world.home),
  })),
  listPromotions: row(who.schoolAdmins),
  getPromotion: row(who.schoolAdmins, 'newPromotion'),
  undoPromotion: row(who.schoolAdmins, 'newPromotion'),

  submitApplication: row(who.anybody, null, () => ({ body: application })),
  listApplications: row(who.superAdmins),
  reviewApplication: row(who.superAdmins, 'newApplication', () => ({ body: { status: 'approved' } })),
  deleteApplication: row(who.superAdmins, 'newApplication'),

  listAdministrators: row(who.managingAny),
  listManagedAdministrators: row(who.managers),
  getAdministrator: row(who.gradeAdmins, 'newClassAdmin'),
  assignClassTeachers: row(who.managers, null, (_, { world, place: { classId } }) => ({
    body: { teachers: [{ username: world.newName(), classId }] },
  })),
  createAdministrator: row(who.gradeAdmins, 'class', (classId, { world }) => ({
    body: { ...newPerson(world), role: 'class_admin', classId },
  })),
  updateAdministrator: row(who.gradeAdmins, 'newClassAdmin', () => ({ body: { disabled: true } })),
  resetAdministratorPassword: row(who.gradeAdmins, 'newClassAdmin'),
  deleteAdministrator: row(who.gradeAdmins, 'newClassAdmin'),
  listActivity: row(who.managingAny),

  listCredentials: row(who.managingAny),
  issueCredential: row(who.inRange, 'class', (scopeClassId, { world }) => ({
    body: { ...newCredential(world), scopeType: 'class', scopeClassId },
  })),
  getCredentialMeta: row(who.issuers),
  simulateCredential: row(who.inRange, 'class', (scopeClassId) => ({
    query: { scopeType: 'class', scopeClassId, scopes: 'students:read' },
  })),
  simulateIssuedCredential: row(who.inRange, 'newCredential'),
  updateCredential: row(who.inRange, 'newCredential', (_, { world }) => ({
    body: { name: world.newName() },
  })),
  listAuditRecords: row(who.managingAny),
  revokeCredential: row(who.inRange, 'newCredential'),
  listCredentialWebhooks: row(who.inRange, 'newCredential', (tokenId) => ({ query: { tokenId } })),
  updateCredentialWebhook: row(who.inRange, 'newWebhook', () => ({ body: { active: false } })),
  deleteCredentialWebhook: row(who.inRange, 'newWebhook'),
  listDeliveries: row(who.inRange, 'newWebhook'),
  replayDeliveries: row(who.inRange, 'newWebhook', () => ({ body: { since: '2026-09-01' } })),
} satisfies Record<InternalOperationId, ExpectedAccess>;

const whole = row(who.ofTheSchool);
const ofGrade = row(who.seeingTheGrade, 'grade', (gradeId) => ({ query: { gradeId } }));
const ofClass = row(who.teaching, 'class', (classId) => ({ query: { classId } }));

/** Calls whose answer depends on the named target or on a missing name. */
const variants: Readonly<Record<`${InternalOperationId}, ${string}`, ExpectedAccess>> = {
  'listSchoolClasses, all': whole,
  'listUsers, all': whole,
  'listScoreLogs, all': whole,
  'listScoreTemplates, all': whole,
  'listSeats, all': whole,
  'listTerms, all': whole,
  'getStatsOverview, all': whole,
  'listDayTotals, all': whole,
  'listCategoryTotals, all': whole,
  'listCategoryDays, all': whole,
  'compareClasses, all': whole,
  'rankStudents, all': whole,
  'listUsers, of a grade': ofGrade,
  'listScoreLogs, of a grade': ofGrade,
  'getStatsOverview, of a grade': ofGrade,
  'listDayTotals, of a grade': ofGrade,
  'listCategoryTotals, of a grade': ofGrade,
  'rankStudents, of a grade': ofGrade,
  'listScoreLogs, of a class': ofClass,
  'listDayTotals, of a class': ofClass,
  'listScoreLogs, of a closed term': row(who.teaching, 'newTerm', (term) => ({ query: { term } })),
  'updateSchoolClass, a move': row(who.gradeAdmins, 'grade', (gradeId, { world }) => ({
    id: world.home.classId,
    body: { gradeId },
  })),
  'createUsers, a batch': row(who.inRange, 'class', (classId, { world }) => ({
    body: { classId, students: [{ username: world.newName() }] },
  })),
  'updateUser, a move': row(who.inRange, 'class', (classId, { world }) => ({
    id: world.home.student.id,
    body: { classId },
  })),
  'addScores, students that fail alone': row(who.ofTheSchool, null, (_, { place }) => ({
    body: { scoreChange: 1, items: [{ userId: place.student.id }] },
  })),
  'createScoreTemplate, school-wide': row(who.schoolAdmins, null, (_, { world }) => ({
    body: { name: world.newName(), scoreChange: 1 },
  })),
  'updateScoreTemplate, school-wide': row(who.schoolAdmins, 'newSchoolTemplate', () => ({
    body: { scoreChange: 2 },
  })),
  'deleteScoreTemplate, school-wide': row(who.schoolAdmins, 'newSchoolTemplate'),
  'updateSeat, by the student': row(who.inRange, 'student', async (userId, { world }) => ({
    id: await world.newSeat(world.home),
    body: { userId },
  })),
  'getAdministrator, of the school': row(who.superAdmins, null, (_, { world }) => ({
    id: world.staff.school.id,
  })),
  'createAdministrator, of the grade': row(who.schoolAdmins, 'grade', (gradeId, { world }) => ({
    body: { ...newPerson(world), role: 'grade_admin', gradeId },
  })),
  'createAdministrator, school_admin': row(who.superAdmins, null, (_, { world }) => ({
    body: { ...newPerson(world), role: 'school_admin' },
  })),
  'createAdministrator, super_admin': row(who.superAdmins, null, (_, { world }) => ({
    body: { ...newPerson(world), role: 'super_admin' },
  })),
  'listActivity, of one': row(who.inRange, null, (_, { world }) => ({
    query: { adminId: world.staff.class.id },
  })),
  'issueCredential, for the grade': row(who.gradeAdmins, 'grade', (scopeGradeId, { world }) => ({
    body: { ...newCredential(world), scopeType: 'grade', scopeGradeId },
  })),
  'issueCredential, for the school': row(who.schoolAdmins, null, (_, { world }) => ({
    body: { ...newCredential(world), scopeType: 'school' },
  })),
};

export const accessTable: readonly Row[] = Object.entries({ ...plain, ...variants }).map(
  ([key, expected]) => {
    const [operation, note = null] = key.split(', ') as [InternalOperationId, string?];
    return { ...expected, operation, note };
  },
);
