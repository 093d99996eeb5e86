import { beforeEach, describe, expect, it } from 'vitest';
import {
  administrator,
  bearer,
  cookie,
  type InternalAnswer,
  internal,
  type Json,
  student,
} from './client.ts';
import { age, dataOf, openInstallation, sharedPassword } from './installation.ts';
import { column, entryOf, idsOf, integer, list, text, timestamp } from './values.ts';

/** Checks each statement of the specification on default settings, on the first day and a year later. */

const studentRecord = { id: integer, username: text, actualName: text, classId: integer };
const application = { applicantName: 'Li Na', contactPhone: '021-5550100', reason: 'Points' };
const newPasswords = ['newpass123', 'NewPass123!', 'Passw0rd!', 'admin456', '654321'];
const noScores = { totalScore: 0, addScore: 0, deductScore: 0, scoreCount: 0 };

const succeeds = async (call: InternalAnswer | Promise<InternalAnswer>, data?: unknown, what?: string) =>
  expect(await call, what).toMatchObject({
    status: 200,
    success: true,
    ...(data === undefined ? {} : { data }),
  });
const fails = async (call: InternalAnswer | Promise<InternalAnswer>, status: number, what?: string) =>
  expect(await call, what).toMatchObject({ status, success: false, message: text });

const idsIn = async (call: Promise<InternalAnswer>) => idsOf(await dataOf(call));
const entryIn = async (call: Promise<InternalAnswer>, id: number) => entryOf(await dataOf(call), id);

describe(`internal API, ${age}`, async () => {
  const installation = await openInstallation();
  const { url, clock, schoolId, schoolDb, grade1, grade2, class1A, class1B, class2A } = installation;
  const { admin, head, gradeHead, teacher, ada, ben, chen, dora, emil } = installation;

  beforeEach(() => clock.advance(5_000));

  let names = 0;
  const unique = (what: string) => `${what} ${++names}`;
  const created = async (path: string, body: object, by = head) =>
    await dataOf(by.post(path, { schoolDb, ...body }));
  const newClass = async (gradeId = grade1) =>
    (await created('/classes', { gradeId, name: unique('Class') })).id;
  const newStudent = async (classId = class1A) => {
    const person = { username: unique('student'), password: '123456', actualName: 'Fay Wong' };
    return { ...person, ...(await created('/users', { ...person, classId })) };
  };
  const give = (userId: number, scoreChange: number) =>
    created('/scores/add', { userId, scoreChange, description: 'Homework' });
  const newSchool = async () => {
    const school = await dataOf(admin.post('/schools', { name: unique('School') }));
    const { id: gradeId } = await created('/grades', { schoolDb: school.schoolDb, name: 'Grade 1' }, admin);
    const inGrade = { schoolDb: school.schoolDb, gradeId, name: 'Class 1' };
    const { id: classId } = await created('/classes', inGrade, admin);
    return { ...school, gradeId, classId };
  };
  const newAdministrator = async () => {
    const account = { username: unique('admin'), password: 'admin456', role: 'class_admin', schoolId };
    return await created('/admin/manage', { ...account, gradeId: grade1, classId: class1A });
  };
  const logIn = (path: string, username: string, password: string) =>
    internal(url).post(path, { username, password });

  it('1. reads and writes JSON in UTF-8', async () => {
    const name = unique('一年级·α');
    const { id } = await created('/grades', { name });
    expect(await entryIn(head.get(`/grades?schoolDb=${schoolDb}`), id)).toMatchObject({ name });
  });

  it('2.2 shows an administrator with role and school; a super administrator has no school', async () => {
    const shown = { id: integer, username: 'head', role: 'school_admin', schoolId };
    await succeeds(head.get('/auth/me'), shown);
    await succeeds(admin.get('/auth/me'), { id: integer, role: 'super_admin', schoolId: null });
  });

  describe('3. States and transitions', () => {
    it('approves an application and stores the review note', async () => {
      const schoolName = unique('School');
      await succeeds(internal(url).post('/applications', { ...application, schoolName }));
      const applications = await dataOf(admin.get('/applications'));
      const { id } = applications.find((entry: Json) => entry.schoolName === schoolName);
      const review = { status: 'approved', reviewNote: 'Welcome' };
      await succeeds(admin.patch(`/applications/${id}`, review), { ...application, schoolName, ...review });
      expect(await entryIn(admin.get('/applications'), id)).toMatchObject({
        ...application,
        schoolName,
        ...review,
      });
    });

    it.each(['reset', 'archive'])('term-switch %s sets all scores of the class to 0', async (action) => {
      const classId = await newClass();
      const students = [await newStudent(classId), await newStudent(classId)];
      for (const { id } of students) await give(id, 5);
      await succeeds(head.post('/admin/term-switch', { schoolDb, classId, action }), { action });
      await succeeds(
        head.get(`/users?schoolDb=${schoolDb}&classId=${classId}`),
        students.map(({ id }) => ({ id, ...noScores })),
      );
    });
  });

  describe('4.1 Admin authentication', () => {
    it('POST /api/auth/login sets a session cookie, also with a password that another person set; logout ends it', async () => {
      const answer = await logIn('/auth/login', 'newcomer', 'newcomer123');
      await succeeds(answer, { id: integer, username: 'newcomer', role: 'school_admin', schoolId });
      const session = internal(url, cookie(answer));
      await succeeds(session.get('/auth/me'), { username: 'newcomer' });
      await succeeds(session.post('/auth/logout'));
      await fails(session.get('/auth/me'), 401);
    });

    it('PATCH /api/auth/me takes the old password and a new one of at least 6 characters', async () => {
      let oldPassword = 'newcomer123';
      const newcomer = await administrator(url, 'newcomer', oldPassword);
      const refused = await newcomer.patch('/auth/me', { oldPassword: 'not it', newPassword: 'qwertz' });
      expect(refused).toMatchObject({ status: expect.toBeOneOf([400, 403]), success: false });
      for (const newPassword of [...newPasswords, 'newcomer123']) {
        await succeeds(newcomer.patch('/auth/me', { oldPassword, newPassword }), undefined, newPassword);
        await succeeds(logIn('/auth/login', 'newcomer', newPassword), undefined, newPassword);
        oldPassword = newPassword;
      }
      await fails(logIn('/auth/login', 'newcomer', newPasswords[0] as string), 401);
    });
  });

  describe('4.2 Student authentication', () => {
    it('POST /api/auth/student/login returns a token, also with a password that a class shares', async () => {
      for (const [username, id] of [
        ['2024001', ada],
        ['2024003', chen],
      ] as const) {
        const answer = await logIn('/auth/student/login', username, sharedPassword);
        await succeeds(answer, { id, username, actualName: text, classId: class1A, token: text });
        await succeeds(internal(url, bearer(answer)).get('/auth/student/me'), { id });
      }
      await fails(logIn('/auth/student/login', '2024001', 'not it'), 401);
    });

    it('POST /api/auth/student/login uses the password to tell apart five students with one username', async () => {
      const username = unique('student');
      for (const n of [1, 2, 3, 4, 5]) {
        const { schoolDb, classId } = await newSchool();
        const person = { username, password: `password ${n}`, actualName: `Student ${n}` };
        await created('/users', { schoolDb, classId, ...person }, admin);
      }
      for (const n of [1, 2, 3, 4, 5]) {
        const answer = await logIn('/auth/student/login', username, `password ${n}`);
        await succeeds(answer, { actualName: `Student ${n}` });
      }
    });

    it('GET /api/auth/student/me shows the own profile, POST /api/auth/student/logout invalidates the token', async () => {
      const caller = internal(url, bearer(await logIn('/auth/student/login', '2024003', sharedPassword)));
      const profile = { id: chen, username: '2024003', actualName: '陈伟', classId: class1A };
      await succeeds(caller.get('/auth/student/me'), profile);
      await succeeds(caller.post('/auth/student/logout'));
      await fails(caller.get('/auth/student/me'), 401);
    });

    it('PATCH /api/auth/student/me takes the old password and a new one of at least 6 characters', async () => {
      let oldPassword = sharedPassword;
      const caller = await student(url, '2024002', oldPassword);
      for (const newPassword of [...newPasswords.filter((one) => one !== sharedPassword), sharedPassword]) {
        await succeeds(
          caller.patch('/auth/student/me', { oldPassword, newPassword }),
          undefined,
          newPassword,
        );
        await succeeds(logIn('/auth/student/login', '2024002', newPassword), { id: ben });
        oldPassword = newPassword;
      }
    });
  });

  describe('4.3 Schools', () => {
    it('POST /api/schools creates a school, which GET /api/schools lists and GET /api/schools/:id shows', async () => {
      const name = unique('School');
      const created = await admin.post('/schools', { name });
      const { id } = created.data;
      const school = { id: integer, name, disabled: 0 };
      await succeeds(created, school);
      expect(await entryIn(admin.get('/schools'), id)).toMatchObject(school);
      await succeeds(admin.get(`/schools/${id}`), school);
      expect(await idsIn(head.get('/schools'))).toEqual([schoolId]);
    });

    it('PATCH /api/schools/:id changes name and disabled, also when the body holds the whole record', async () => {
      const { id } = await newSchool();
      const name = unique('School');
      await succeeds(admin.patch(`/schools/${id}`, { name }), { id, name, disabled: 0 });
      const school = await dataOf(admin.get(`/schools/${id}`));
      const changed = await admin.patch(`/schools/${id}`, { ...school, disabled: 1 });
      await succeeds(changed, { id, name, disabled: 1 });
      await succeeds(admin.get(`/schools/${id}`), { disabled: 1 });
      await succeeds(admin.patch(`/schools/${id}`, { disabled: 0 }), { id, name, disabled: 0 });
    });

    it('DELETE /api/schools/:id deletes a school', async () => {
      const { id } = await newSchool();
      await succeeds(admin.delete(`/schools/${id}`));
      await fails(admin.get(`/schools/${id}`), 404);
    });
  });

  describe('4.4 Grades and classes', () => {
    it('POST /api/grades creates a grade, GET /api/grades lists it, DELETE /api/grades/:id deletes it', async () => {
      const grade = { name: unique('Grade'), createdAt: timestamp };
      const created = await head.post('/grades', { schoolDb, name: grade.name });
      await succeeds(created, { id: integer, ...grade });
      const { id } = created.data;
      const listed = () => head.get(`/grades?schoolDb=${schoolDb}`);
      expect(await entryIn(listed(), id)).toMatchObject(grade);
      await succeeds(head.delete(`/grades/${id}?schoolDb=${schoolDb}`));
      expect(await idsIn(listed())).not.toContain(id);
    });

    it('GET /api/classes lists the classes of the school, or of one grade', async () => {
      const classes = async (filter: string) =>
        await idsIn(head.get(`/classes?schoolDb=${schoolDb}${filter}`));
      expect(await classes('')).toEqual(expect.arrayContaining([class1A, class1B, class2A]));
      expect(await classes(`&gradeId=${grade2}`)).toEqual([class2A]);
      expect(await classes('&gradeId=')).toEqual(await classes(''));
    });

    it('POST /api/classes creates a class, DELETE /api/classes/:id deletes it', async () => {
      const body = { gradeId: grade1, name: unique('Class') };
      const created = await head.post('/classes', { schoolDb, ...body });
      await succeeds(created, { id: integer, ...body });
      await succeeds(head.delete(`/classes/${created.data.id}?schoolDb=${schoolDb}`));
      expect(await idsIn(head.get(`/classes?schoolDb=${schoolDb}`))).not.toContain(created.data.id);
    });
  });

  describe('4.5 Students', () => {
    it('GET /api/users filters by class, and searches username and actual name', async () => {
      const students = async (filter: string) =>
        await idsIn(head.get(`/users?schoolDb=${schoolDb}${filter}`));
      expect(await students(`&classId=${class2A}`)).toEqual([emil]);
      expect(await students('&search=2024005')).toEqual([emil]);
      expect(await students('&search=brandt')).toEqual([emil]);
      expect(await students(`&search=${encodeURIComponent('陈')}`)).toEqual([chen]);
      expect(await students('&classId=&search=')).toEqual(await students(''));
    });

    it('2.2 GET /api/users/:id shows a student with totals that begin at 0', async () => {
      const { id } = await newStudent();
      const shown = () => head.get(`/users/${id}?schoolDb=${schoolDb}`);
      await succeeds(shown(), { ...studentRecord, ...noScores, id });
      await give(id, 5);
      await give(id, -2);
      const scores = { totalScore: 3, addScore: 5, deductScore: -2, scoreCount: 2 };
      await succeeds(shown(), { ...studentRecord, ...scores, id });
    });

    it('POST /api/users requires a password and creates a student', async () => {
      const person = { username: unique('student'), actualName: 'Fay Wong', classId: class1A };
      await fails(head.post('/users', { schoolDb, ...person }), 400);
      const password = '123456';
      const made = await head.post('/users', { schoolDb, ...person, password });
      await succeeds(made, { id: integer, ...person });
      expect(await logIn('/auth/student/login', person.username, password)).toMatchObject({ status: 200 });
    });

    it('POST /api/users creates a batch of students', async () => {
      const students = [1, 2].map(() => ({ username: unique('student'), actualName: 'Gil Ode' }));
      const made = await head.post('/users', { schoolDb, students, classId: class1A });
      await succeeds(made, { successCount: 2, failedCount: 0, totalCount: 2 });
    });

    it('PATCH /api/users/:id changes fields, also when the body holds the whole record', async () => {
      const { id } = await newStudent();
      const changed = await head.patch(`/users/${id}`, { schoolDb, actualName: 'Hana Mori' });
      await succeeds(changed, { id, actualName: 'Hana Mori' });
      const record = await dataOf(head.get(`/users/${id}?schoolDb=${schoolDb}`));
      const username = unique('student');
      const again = await head.patch(`/users/${id}`, { schoolDb, ...record, username, classId: class1B });
      await succeeds(again, { id, actualName: 'Hana Mori', username, classId: class1B });
      expect(await head.patch(`/users/${id}`, { schoolDb, password: 'newpass123' })).toMatchObject({
        status: 200,
      });
      await succeeds(logIn('/auth/student/login', username, 'newpass123'), { id });
    });

    it('DELETE /api/users/:id deletes a student', async () => {
      const { id } = await newStudent();
      await succeeds(head.delete(`/users/${id}?schoolDb=${schoolDb}`));
      await fails(head.get(`/users/${id}?schoolDb=${schoolDb}`), 404);
    });
  });

  describe('4.6 Scores', () => {
    it('POST /api/scores/add changes the score of a student and appends it to the log', async () => {
      const { id: userId } = await newStudent();
      const score = { userId, scoreChange: 5, description: 'Homework' };
      await succeeds(teacher.post('/scores/add', { schoolDb, ...score }));
      await succeeds(teacher.get(`/users/${userId}?schoolDb=${schoolDb}`), { totalScore: 5 });
      const logs = await teacher.get(`/scores/logs?schoolDb=${schoolDb}&userId=${userId}`);
      await succeeds(logs, [{ ...score, createdAt: timestamp }]);
    });

    it('GET /api/scores/logs shows the newest records, up to limit', async () => {
      const { id } = await newStudent();
      for (const change of [1, 2, 3]) await give(id, change);
      const logs = (query: string) => head.get(`/scores/logs?schoolDb=${schoolDb}${query}`);
      await succeeds(logs(`&userId=${id}`), [{ scoreChange: 3 }, { scoreChange: 2 }, { scoreChange: 1 }]);
      await succeeds(logs('&limit=2'), [{ scoreChange: 3 }, { scoreChange: 2 }]);
    });

    it('POST and GET /api/scores/templates create and list templates', async () => {
      const template = { name: unique('Template'), scoreChange: -2, description: 'Late' };
      await succeeds(head.post('/scores/templates', { schoolDb, ...template }), template);
      const { data } = await head.get(`/scores/templates?schoolDb=${schoolDb}`);
      expect(data).toContainEqual(expect.objectContaining(template));
    });
  });

  it('4.7 POST /api/seats/data/generate creates the seats of a class, GET shows them, PATCH seats another student', async () => {
    const classId = await newClass();
    const [first, second] = [await newStudent(classId), await newStudent(classId)];
    const plan = { schoolDb, classId, groupCount: 2, rowsPerGroup: 3, colsPerGroup: 2 };
    await succeeds(head.post('/seats/data/generate', plan));
    const seats = () => head.get(`/seats/data?schoolDb=${schoolDb}&classId=${classId}`);
    const { data } = await seats();
    expect(data).toHaveLength(2 * 3 * 2);
    const [seat, ...others] = data.filter(({ userId }: { userId: number }) => userId === first.id);
    expect(others).toEqual([]);
    await succeeds(head.patch(`/seats/data/${seat.id}`, { schoolDb, userId: second.id }));
    expect(await entryIn(seats(), seat.id)).toMatchObject({ userId: second.id });
  });

  describe('4.8 Statistics', () => {
    it('GET /api/stats/overview adds up the students of the school', async () => {
      const other = await newSchool();
      const inSchool = { schoolDb: other.schoolDb };
      for (const scoreChange of [4, -2, 1]) {
        const person = { username: unique('student'), password: '123456', classId: other.classId };
        const { id: userId } = await created('/users', { ...inSchool, ...person }, admin);
        await created('/scores/add', { ...inSchool, userId, scoreChange, description: '' }, admin);
      }
      const expected = { totalUsers: 3, totalScores: 3, avgScore: 1, maxScore: 4, minScore: -2 };
      await succeeds(admin.get(`/stats/overview?schoolDb=${other.schoolDb}`), expected);
    });

    it('GET /api/stats/records covers the last 7 days, or as many days as the parameter days says', async () => {
      const days = async (query: string) =>
        await dataOf(head.get(`/stats/records?schoolDb=${schoolDb}${query}`));
      expect(await days('')).toHaveLength(7);
      expect(await days('&days=30')).toHaveLength(30);
    });
  });

  describe('4.9 Announcements, applications, administrators, term', () => {
    const announcement = { title: 'Sports day', content: '<b>Friday</b>', type: 'info', active: 1 };

    it('POST /api/announcements publishes an announcement without its scripts', async () => {
      const content = '<b>Friday</b><script>alert(1)</script><a href="javascript:alert(1)">here</a>';
      const made = await admin.post('/announcements', { ...announcement, content });
      const { content: _, ...shownFields } = announcement;
      await succeeds(made, { id: integer, ...shownFields, createdAt: timestamp });
      const shown = await entryIn(internal(url).get('/announcements'), made.data.id);
      expect(shown.content).toContain('<b>Friday</b>');
      expect(shown.content).not.toMatch(/script/);
    });

    it('GET /api/announcements is public; GET /api/announcements/admin also lists inactive ones', async () => {
      const inactive = { ...announcement, type: 'warning', active: 0 };
      const { id } = await dataOf(admin.post('/announcements', inactive));
      expect(await idsIn(internal(url).get('/announcements'))).not.toContain(id);
      expect(await idsIn(admin.get('/announcements/admin'))).toContain(id);
      await fails(internal(url).get('/announcements/admin'), 401);
    });

    it('PATCH /api/announcements/:id changes an announcement, also with the whole record; DELETE deletes it', async () => {
      const made = await dataOf(admin.post('/announcements', announcement));
      const changed = await admin.patch(`/announcements/${made.id}`, { title: 'Museum day' });
      await succeeds(changed, { id: made.id, title: 'Museum day', active: 1 });
      const hidden = await admin.patch(`/announcements/${made.id}`, { ...changed.data, active: 0 });
      await succeeds(hidden, { id: made.id, title: 'Museum day', active: 0 });
      await succeeds(admin.delete(`/announcements/${made.id}`));
      expect(await idsIn(admin.get('/announcements/admin'))).not.toContain(made.id);
    });

    it('POST /api/applications is public and takes more than five applications an hour', async () => {
      for (let n = 1; n <= 6; n++) {
        const body = { ...application, schoolName: unique('School') };
        await succeeds(internal(url).post('/applications', body), undefined, body.schoolName);
      }
    });

    it('GET /api/admin/list shows all administrators; GET /api/admin/manage shows administrators whom the caller may manage', async () => {
      const usernames = async (path: string) => column(await dataOf(gradeHead.get(path)), 'username');
      expect(await usernames('/admin/list')).toEqual(expect.arrayContaining(['gradehead', 'teacher']));
      expect(await usernames('/admin/manage')).toEqual(['teacher']);
      await succeeds(admin.get('/admin/manage'), list);
    });

    it('POST /api/admin/manage creates an administrator, and requires a password for the new account', async () => {
      const account = { username: unique('admin'), role: 'school_admin', schoolId };
      await fails(admin.post('/admin/manage', account), 400);
      const made = await admin.post('/admin/manage', { ...account, password: 'admin456' });
      await succeeds(made, { id: integer, ...account });
      await succeeds(logIn('/auth/login', account.username, 'admin456'), account);
    });

    it('GET, PATCH and DELETE /api/admin/manage/:id show, change and delete an administrator, also with the whole record', async () => {
      const { id, username } = await newAdministrator();
      const shown = { id, username, role: 'class_admin', classId: class1A };
      await succeeds(head.get(`/admin/manage/${id}`), shown);
      const moved = await head.patch(`/admin/manage/${id}`, { classId: class1B });
      await succeeds(moved, { id, username, classId: class1B });
      const renamed = unique('admin');
      const record = await dataOf(head.get(`/admin/manage/${id}`));
      const changed = await head.patch(`/admin/manage/${id}`, { ...record, username: renamed });
      await succeeds(changed, { id, username: renamed, classId: class1B });
      await succeeds(head.patch(`/admin/manage/${id}`, { password: 'newpass123' }));
      await succeeds(logIn('/auth/login', renamed, 'newpass123'), { id });
      await succeeds(head.delete(`/admin/manage/${id}`));
      await fails(logIn('/auth/login', renamed, 'newpass123'), 401);
    });

    it('GET /api/student/classmates shows the class of the student', async () => {
      const classId = await newClass();
      const [own, other] = [await newStudent(classId), await newStudent(classId)];
      const caller = await student(url, own.username, own.password);
      const { data } = await caller.get('/student/classmates');
      expect(idsOf(data).sort()).toEqual([own.id, other.id].sort());
    });

    it('GET /api/student/logs shows the student’s own records, up to limit', async () => {
      const { id, username, password } = await newStudent();
      for (const change of [1, 2]) await give(id, change);
      await give(dora, 7);
      const caller = await student(url, username, password);
      await succeeds(caller.get('/student/logs'), [{ scoreChange: 2 }, { scoreChange: 1 }]);
      await succeeds(caller.get('/student/logs?limit=1'), [{ scoreChange: 2 }]);
    });
  });
});
