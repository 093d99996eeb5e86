import type { InternalOperationId } from '@classledger/contract';
import { classroomRows } from './internal-access-classroom.ts';
import { factorRows } from './internal-access-factors.ts';
import {
  type ExpectedAccess,
  get,
  newCredential,
  newPerson,
  type Row,
  row,
  who,
} from './internal-access-rows.ts';
import { accessVariants } from './internal-access-variants.ts';
import { application, signInProvider } from './internal-access-world.ts';

/** Does not compile if an operation is missing. */
const plain = {
  login: row(who.anybody, null, ({ world }) => {
    const { username, password } = world.staff.school;
    return { path: '/auth/login', body: { username, password } };
  }),
  logout: row(who.signedIn, null, get('/auth/logout')),
  getMe: row(who.signedIn, null, get('/auth/me')),
  changeMyPassword: row(who.signedIn, null, ({ caller: { password } }) => ({
    path: '/auth/me',
    body: { oldPassword: password, newPassword: `${password}, another one` },
  })),

  confirm: row(who.signedIn, null, ({ caller: { password } }) => ({
    path: '/auth/confirm',
    body: { password },
  })),
  listSessions: row(who.signedIn, null, get('/auth/sessions')),
  endSession: row(who.signedIn, null, async ({ world, caller }) => ({
    path: `/auth/sessions/${await world.newSession(caller)}`,
  })),
  endOtherSessions: row(who.signedIn, null, get('/auth/sessions')),

  ...factorRows,

  studentLogin: row(who.anybody, null, ({ world: { student, home } }) => ({
    path: '/auth/student/login',
    body: { username: student.username, password: student.password, schoolDb: home.schoolDb },
  })),
  signInByCode: row(who.anybody, null, async ({ world, place }) => ({
    path: '/auth/student/code',
    body: { code: await world.newSignInCode(place) },
  })),
  studentLogout: row(who.students, null, get('/auth/student/logout')),
  getStudentMe: row(who.students, null, get('/auth/student/me')),
  changeStudentPassword: row(who.students, null, ({ caller: { password } }) => ({
    path: '/auth/student/me',
    body: { oldPassword: password, newPassword: `${password}, another one` },
  })),
  listStudentSessions: row(who.students, null, get('/auth/student/sessions')),
  endStudentSession: row(who.students, null, async ({ world }) => ({
    path: `/auth/student/sessions/${await world.newStudentSession()}`,
  })),
  endOtherStudentSessions: row(who.students, null, get('/auth/student/sessions')),
  listStudentEvents: row(who.students, null, get('/auth/student/events')),
  listClassmates: row(who.students, null, get('/student/classmates')),
  listOwnScores: row(who.students, null, get('/student/logs')),
  listOwnDayTotals: row(who.students, null, get('/student/records-by-day')),

  listSchools: row(who.signedIn, null, get('/schools')),
  getSchool: row(who.ofTheSchool, null, ({ place }) => ({ path: `/schools/${place.schoolId}` })),
  getSchoolDefaults: row(who.superAdmins, null, get('/school-defaults')),
  createSchool: row(who.superAdmins, null, ({ world }) => ({
    path: '/schools',
    body: { name: world.newName() },
  })),
  updateSchool: row(who.superAdmins, null, ({ place }) => ({
    path: `/schools/${place.schoolId}`,
    body: { name: place.schoolName },
  })),
  deleteSchool: row(who.superAdmins, null, async ({ world }) => ({
    path: `/schools/${await world.newSchool()}`,
  })),

  listSignInChoices: row(who.anybody, null, ({ place }) => ({
    path: `/auth/providers?for=students&schoolDb=${place.schoolDb}`,
  })),
  listSignInProviders: row(who.superAdmins, null, async ({ world, place }) => {
    await world.newSignInProvider(place);
    return { path: '/sign-in-providers' };
  }),
  createSignInProvider: row(who.superAdmins, null, ({ world }) => ({
    path: '/sign-in-providers',
    body: signInProvider(world.newName()),
  })),
  updateSignInProvider: row(who.superAdmins, null, async ({ world, place }) => ({
    path: `/sign-in-providers/${await world.newSignInProvider(place)}`,
    body: { scopes: 'openid profile email' },
  })),
  deleteSignInProvider: row(who.superAdmins, null, async ({ world, place }) => ({
    path: `/sign-in-providers/${await world.newSignInProvider(place)}`,
  })),
  testSignInProvider: row(who.superAdmins, null, async ({ world, place }) => ({
    path: `/sign-in-providers/${await world.newSignInProvider(place)}/test`,
  })),
  getLocalSignIn: row(who.superAdmins, null, get('/sign-in-providers/local')),
  updateLocalSignIn: row(who.superAdmins, null, () => ({
    path: '/sign-in-providers/local',
    body: { students: true },
  })),
  unbindAdministrator: row(who.gradeAdmins, 'class administrator', async ({ world, place }) => ({
    path: `/admin/manage/${await world.newClassAdmin(place)}/unbind`,
  })),
  unbindUser: row(who.inRange, 'student', ({ place }) => ({
    path: `/users/${place.student.id}/unbind`,
  })),

  listSchoolGrades: row(who.ofTheSchool, null, get('/grades')),
  createSchoolGrade: row(who.schoolAdmins, null, ({ world }) => ({
    path: '/grades',
    body: { name: world.newName() },
  })),
  updateSchoolGrade: row(who.schoolAdmins, 'grade', ({ world, place }) => ({
    path: `/grades/${place.gradeId}`,
    body: { name: world.newName() },
  })),
  deleteSchoolGrade: row(who.schoolAdmins, 'grade', async ({ world, place }) => ({
    path: `/grades/${await world.newGrade(place)}`,
  })),
  listSchoolClasses: row(who.seeingTheGrade, 'grade', ({ place }) => ({
    path: `/classes?gradeId=${place.gradeId}`,
  })),
  createSchoolClass: row(who.gradeAdmins, 'grade', ({ world, place }) => ({
    path: '/classes',
    body: { gradeId: place.gradeId, name: world.newName() },
  })),
  updateSchoolClass: row(who.inRange, 'class', ({ world, place }) => ({
    path: `/classes/${place.classId}`,
    body: { name: world.newName() },
  })),
  deleteSchoolClass: row(who.gradeAdmins, 'class', async ({ world, place }) => ({
    path: `/classes/${await world.newClass(place)}`,
  })),

  listUsers: row(who.inRange, 'class', ({ place }) => ({ path: `/users?classId=${place.classId}` })),
  getUser: row(who.inRange, 'student', ({ place }) => ({ path: `/users/${place.student.id}` })),
  createUsers: row(who.inRange, 'class', ({ world, place }) => ({
    path: '/users',
    body: { ...newPerson(world), classId: place.classId },
  })),
  checkImport: row(who.ofTheSchool, null, ({ world }) => ({
    path: '/imports/check',
    body: { batch: [{ username: world.newName() }] },
  })),
  startImport: row(who.ofTheSchool, null, ({ world }) => ({
    path: '/imports',
    body: { source: 'list', batch: [{ username: world.newName() }] },
  })),
  listImports: row(who.ofTheSchool, null, get('/imports')),
  getImport: row(who.schoolAdmins, 'import', async ({ world, place }) => ({
    path: `/imports/${await world.newImport(place)}`,
  })),
  listImportRows: row(who.schoolAdmins, 'import', async ({ world, place }) => ({
    path: `/imports/${await world.newImport(place)}/rows`,
  })),
  listImportEffects: row(who.schoolAdmins, 'import', async ({ world, place }) => ({
    path: `/imports/${await world.newImport(place)}/students`,
  })),
  undoImport: row(who.schoolAdmins, 'import', async ({ world, place }) => ({
    path: `/imports/${await world.newImport(place)}/undo`,
  })),
  updateUser: row(who.inRange, 'student', ({ place }) => ({
    path: `/users/${place.student.id}`,
    body: { actualName: 'Somebody' },
  })),
  resetUserPassword: row(who.inRange, 'student', ({ place }) => ({
    path: `/users/${place.student.id}/password`,
  })),
  resetUserPasswords: row(who.inRange, 'class', async ({ world, place }) => ({
    path: '/users/passwords',
    body: { classId: place.classId, userIds: [await world.newStudent(place)] },
  })),
  deleteUser: row(who.inRange, 'student', async ({ world, place }) => ({
    path: `/users/${await world.newStudent(place)}`,
  })),

  exportUser: row(who.schoolAdmins, 'student', ({ place }) => ({
    path: `/users/${place.student.id}/export`,
  })),
  eraseUser: row(who.schoolAdmins, 'student', async ({ world, place }) => ({
    path: `/users/${await world.newStudent(place)}/erase`,
  })),
  eraseClass: row(who.schoolAdmins, 'class', async ({ world, place }) => ({
    path: `/classes/${await world.newClass(place)}/erase`,
    body: { students: 0 },
  })),
  getSchoolSettings: row(who.schoolAdmins, null, get('/school-settings')),
  updateSchoolSettings: row(who.schoolAdmins, null, () => ({
    path: '/school-settings',
    body: { classmates: 'front', eraseLeaversAfterDays: 365 },
  })),

  ...classroomRows,

  getStatsOverview: row(who.inRange, 'class', ({ place }) => ({
    path: `/stats/overview?classId=${place.classId}`,
  })),
  listDayTotals: row(who.inRange, 'student', ({ place }) => ({
    path: `/stats/records?userId=${place.student.id}`,
  })),
  compareClasses: row(who.seeingTheGrade, 'grade', ({ place }) => ({
    path: `/stats/classes?gradeId=${place.gradeId}`,
  })),
  rankStudents: row(who.inRange, 'class', ({ place }) => ({
    path: `/stats/leaders?classId=${place.classId}`,
  })),

  switchTerm: row(who.inRange, 'class', ({ place }) => ({
    path: '/admin/term-switch',
    body: { classId: place.classId, action: 'reset' },
  })),
  listTerms: row(who.inRange, 'class', ({ place }) => ({ path: `/admin/terms?classId=${place.classId}` })),
  getTerm: row(who.inRange, 'term', async ({ world, place }) => ({
    path: `/admin/terms/${await world.newTerm(place)}`,
  })),

  listAnnouncements: row(who.anybody, null, get('/announcements')),
  listAllAnnouncements: row(who.superAdmins, null, get('/announcements/admin')),
  createAnnouncement: row(who.superAdmins, null, ({ world }) => ({
    path: '/announcements',
    body: { title: world.newName(), content: '<p>News</p>' },
  })),
  previewAnnouncement: row(who.superAdmins, null, () => ({
    path: '/announcements/preview',
    body: { content: '<p>News</p>' },
  })),
  updateAnnouncement: row(who.superAdmins, null, async ({ world }) => ({
    path: `/announcements/${await world.newAnnouncement()}`,
    body: { active: 0 },
  })),
  deleteAnnouncement: row(who.superAdmins, null, async ({ world }) => ({
    path: `/announcements/${await world.newAnnouncement()}`,
  })),

  previewPromotion: row(who.schoolAdmins, null, () => ({ path: '/admin/promotions/preview', body: {} })),
  promoteSchool: row(who.schoolAdmins, null, async ({ world }) => ({
    path: '/admin/promotions',
    body: await world.newPromotionPlan(world.home),
  })),
  listPromotions: row(who.schoolAdmins, null, get('/admin/promotions')),
  getPromotion: row(who.schoolAdmins, 'promotion', async ({ world, place }) => ({
    path: `/admin/promotions/${await world.newPromotion(place)}`,
  })),
  undoPromotion: row(who.schoolAdmins, 'promotion', async ({ world, place }) => ({
    path: `/admin/promotions/${await world.newPromotion(place)}/undo`,
  })),

  submitApplication: row(who.anybody, null, () => ({ path: '/applications', body: application })),
  listApplications: row(who.superAdmins, null, get('/applications')),
  reviewApplication: row(who.superAdmins, null, async ({ world }) => ({
    path: `/applications/${await world.newApplication()}`,
    body: { status: 'approved' },
  })),
  deleteApplication: row(who.superAdmins, null, async ({ world }) => ({
    path: `/applications/${await world.newApplication()}`,
  })),

  listAdministrators: row(who.ofTheSchool, null, get('/admin/list')),
  listManagedAdministrators: row(who.managers, null, get('/admin/manage')),
  getAdministrator: row(who.gradeAdmins, 'class administrator', async ({ world, place }) => ({
    path: `/admin/manage/${await world.newClassAdmin(place)}`,
  })),
  assignClassTeachers: row(who.managers, null, ({ world, place }) => ({
    path: '/admin/manage/class-teachers',
    body: { teachers: [{ username: world.newName(), classId: place.classId }] },
  })),
  createAdministrator: row(who.gradeAdmins, 'class', ({ world, place }) => ({
    path: '/admin/manage',
    body: { ...newPerson(world), role: 'class_admin', classId: place.classId },
  })),
  updateAdministrator: row(who.gradeAdmins, 'class administrator', async ({ world, place }) => ({
    path: `/admin/manage/${await world.newClassAdmin(place)}`,
    body: { disabled: true },
  })),
  resetAdministratorPassword: row(who.gradeAdmins, 'class administrator', async ({ world, place }) => ({
    path: `/admin/manage/${await world.newClassAdmin(place)}/password`,
  })),
  deleteAdministrator: row(who.gradeAdmins, 'class administrator', async ({ world, place }) => ({
    path: `/admin/manage/${await world.newClassAdmin(place)}`,
  })),
  listActivity: row(who.ofTheSchool, null, get('/admin/activity')),

  listCredentials: row(who.ofTheSchool, null, get('/api-tokens')),
  issueCredential: row(who.inRange, 'class', ({ world, place }) => ({
    path: '/api-tokens',
    body: { ...newCredential(world), scopeType: 'class', scopeClassId: place.classId },
  })),
  getCredentialMeta: row(who.signedIn, null, get('/api-tokens/meta')),
  simulateCredential: row(who.inRange, 'class', ({ place }) => ({
    path: `/api-tokens/simulation?scopeType=class&scopeClassId=${place.classId}&scopes=students:read`,
  })),
  simulateIssuedCredential: row(who.inRange, 'credential', async ({ world, place }) => ({
    path: `/api-tokens/${await world.newCredential(place)}/simulation`,
  })),
  updateCredential: row(who.inRange, 'credential', async ({ world, place }) => ({
    path: `/api-tokens/${await world.newCredential(place)}`,
    body: { name: world.newName() },
  })),
  listAuditRecords: row(who.ofTheSchool, null, get('/api-tokens/logs')),
  revokeCredential: row(who.inRange, 'credential', async ({ world, place }) => ({
    path: `/api-tokens/${await world.newCredential(place)}`,
  })),
  listCredentialWebhooks: row(who.inRange, 'credential', async ({ world, place }) => ({
    path: `/webhooks?tokenId=${await world.newCredential(place)}`,
  })),
  updateCredentialWebhook: row(who.inRange, 'webhook', async ({ world, place }) => ({
    path: `/webhooks/${await world.newWebhook(place)}`,
    body: { active: false },
  })),
  deleteCredentialWebhook: row(who.inRange, 'webhook', async ({ world, place }) => ({
    path: `/webhooks/${await world.newWebhook(place)}`,
  })),
  listDeliveries: row(who.inRange, 'webhook', async ({ world, place }) => ({
    path: `/webhooks/${await world.newWebhook(place)}/deliveries`,
  })),
  replayDeliveries: row(who.inRange, 'webhook', async ({ world, place }) => ({
    path: `/webhooks/${await world.newWebhook(place)}/replay`,
    body: { since: '2026-09-01' },
  })),
} satisfies Record<InternalOperationId, ExpectedAccess>;

export const accessTable: readonly Row[] = [
  ...Object.entries(plain).map(([id, aimed]) => ({
    ...aimed,
    operation: id as InternalOperationId,
    note: null,
  })),
  ...accessVariants.map(([operation, note, aimed]) => ({ ...aimed, operation, note })),
];
