import { expect, it, onTestFinished } from 'vitest';
import { createAdmin } from '../../../test/administrators.ts';
import { auditRecords } from '../../../test/audit.ts';
import { nonconformities } from '../../../test/one-roster-standard.ts';
import { type RosterAnswer, rosterApi, rosterService } from '../../../test/roster-api.ts';
import { createSampleSchool, openSchool } from '../../../test/test-app.ts';

const { test, admin, school, office, teacher } = await openSchool();
const { http } = test.app;
const { askForToken, get, signIn } = rosterApi(http);
const scope = 'https://purl.imsglobal.org/spec/or/v1p2/scope/';
const [grade] = school.grades;
const [ownClass, otherClass] = grade.classes;

const pathIn = (url: string) => url.slice(url.indexOf(rosterService) + rosterService.length);
const changeLastCharacter = (token: string) => token.slice(0, -1) + (token.endsWith('x') ? 'y' : 'x');
const minorCodeOf = ({ body }: RosterAnswer) =>
  body.imsx_CodeMinor.imsx_codeMinorField[0].imsx_codeMinorFieldValue;
const filter = (text: string) => `filter=${encodeURIComponent(text)}`;
const idsIn = (records: readonly { readonly sourcedId: string }[]) =>
  records.map(({ sourcedId }) => sourcedId);
const ofStudent = (id: number) => `classledger-student-${id}`;
const ofStudents = (all: readonly { readonly id: number }[]) => all.map(({ id }) => ofStudent(id)).sort();
const ofClass = (id: number) => `classledger-class-${id}`;
const ofSchool = `classledger-school-${school.id}`;

it('an access token of OneRoster is issued for a credential, by HTTP Basic or form, and lasts an hour', async () => {
  const { id, token } = office;
  const basic = Buffer.from(`${id}:${token}`).toString('base64');
  const known = `${scope}roster.readonly`;
  const answers = [
    await askForToken({ scope: `${known} ${scope}unheard-of` }, { authorization: `Basic ${basic}` }),
    await askForToken({ client_id: token.slice(0, -35), client_secret: token, scope: known }),
  ];
  for (const { status, headers, body } of answers) {
    expect(status, JSON.stringify(body)).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: known });
  }
});

it('invalid requests for an access token are refused with the error codes of OAuth 2', async () => {
  const own = { client_id: String(office.id), client_secret: office.token };
  const basic = { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` };
  const refused: [object, number, string, object?][] = [
    [{ ...own, client_secret: changeLastCharacter(office.token) }, 401, 'invalid_client'],
    [{ ...own, client_id: String(teacher.id) }, 401, 'invalid_client'],
    [{}, 401, 'invalid_client'],
    [{ ...own, grant_type: 'password' }, 400, 'unsupported_grant_type'],
    [{ ...own, scope: 'openid' }, 400, 'invalid_scope'],
    [own, 400, 'invalid_request', { 'content-type': 'application/json' }],
    [own, 400, 'invalid_request', basic],
  ];
  for (const [fields, status, error, headers = {}] of refused) {
    const answer = await askForToken(fields as Record<string, string>, headers as Record<string, string>);
    expect([answer.status, answer.body.error]).toEqual([status, error]);
  }
});

it('an access token with the core scope answers 403 to lists below a record', async () => {
  const token = await signIn(office, { scope: `${scope}roster-core.readonly` });
  expect((await get(token, '/students')).status).toBe(200);
  const below = await get(token, `/classes/${ofClass(ownClass.id)}/students`);
  expect([below.status, minorCodeOf(below)]).toEqual([403, 'forbidden']);
});

const token = await signIn(office);
const active = filter("status='active'");
const inClass = ofStudents(ownClass.students);

it('OneRoster answers every operation with records as the standard describes them', async () => {
  const year = (await get(token, '/terms')).body.academicSessions[0].sourcedId;
  const course = `classledger-course-${grade.id}`;
  const inSchool = `/schools/${ofSchool}`;
  const room = `/classes/${ofClass(ownClass.id)}`;
  const [student] = inClass;
  const rows: readonly (readonly [name: string, count: number, ...paths: string[]])[] = [
    ['orgs', 1, '/orgs', '/schools'],
    ['academicSessions', 1, '/academicSessions', '/terms', `${inSchool}/terms`],
    ['academicSessions', 0, '/gradingPeriods', `/terms/${year}/gradingPeriods`],
    ['courses', 2, '/courses', `${inSchool}/courses`],
    ['classes', 4, '/classes', `${inSchool}/classes`, `/terms/${year}/classes`],
    ['classes', 2, `/courses/${course}/classes`],
    ['classes', 1, `/students/${student}/classes`, `/users/${student}/classes`],
    ['users', 12, '/users', '/students', `${inSchool}/students`],
    ['users', 3, `${inSchool}${room}/students`, `${room}/students`],
    ['users', 0, '/teachers', `${inSchool}/teachers`, `${room}/teachers`, `${inSchool}${room}/teachers`],
    ['enrollments', 12, '/enrollments', `${inSchool}/enrollments`],
    ['enrollments', 3, `${inSchool}${room}/enrollments`],
    ['demographics', 0, '/demographics'],
  ];
  const lists = rows.flatMap(([name, count, ...paths]) => paths.map((path) => [name, count, path] as const));
  for (const [name, count, path] of lists) {
    const { status, headers, body } = await get(token, path);
    const shown = [path, status, Number(headers['x-total-count']), Object.keys(body)];
    expect(shown).toEqual([path, 200, count, [name]]);
    expect(body[name]).toHaveLength(count);
    expect(nonconformities(name, body[name])).toEqual([]);
    // Every referenced record exists and has the referenced id.
    const [record] = body[name];
    const [collection] = path.split('/').slice(1);
    if (path.split('/').length > 2 || !record) continue;
    const one = await get(token, `/${collection}/${record.sourcedId}`);
    expect(Object.values(one.body)).toEqual([record]);
    for (const value of Object.values(record)) {
      const { href, sourcedId } = (value ?? {}) as { href?: string; sourcedId?: string };
      if (href === undefined) continue;
      const referred = await get(token, pathIn(href));
      expect(Object.values(referred.body)[0]).toMatchObject({ sourcedId });
    }
  }
  const { body } = await get(token, `/students/${student}`);
  expect(body.user).toMatchObject({ username: 's1a1', enabledUser: 'true', grades: ['01'] });
});

it('OneRoster splits a student’s name into two parts that give the name again', async () => {
  const [{ id }] = otherClass.students;
  for (const [actualName, givenName, familyName] of [
    ['Ann Lee', 'Ann', 'Lee'],
    ['Madonna', 'Madonna', '-'],
    ['王小明', '小明', '王'],
    ['欧阳 娜娜', '欧阳 娜娜', '-'],
    ['Juan de la Cruz', 'Juan de la', 'Cruz'],
  ]) {
    await office.patch(`/students/${id}`, { actualName });
    const { body } = await get(token, `/students/${ofStudent(id)}`);
    expect(body.user).toMatchObject({ givenName, familyName });
  }
});

it('a student’s sourcedId stays when the external id is set, changed or removed', async () => {
  const [{ id }] = ownClass.students;
  const shown = async () => (await get(token, `/students/${ofStudent(id)}`)).body.user;
  expect(await shown()).not.toHaveProperty('identifier');
  for (const externalId of ['S/2026 1', 'classledger-student-4711', null]) {
    await office.patch(`/students/${id}`, { externalId });
    const user = await shown();
    expect([user.sourcedId, user.identifier ?? null]).toEqual([ofStudent(id), externalId]);
    expect(nonconformities('users', [user])).toEqual([]);
    if (externalId === null) continue;
    const { body } = await get(token, `/students?${filter(`identifier='${externalId}'`)}`);
    expect(idsIn(body.users)).toEqual([ofStudent(id)]);
  }
});

it('OneRoster returns linked pages that contain each student once', async () => {
  const seen: string[] = [];
  for (let path: string | undefined = `/students?limit=5&sort=username&orderBy=desc&${active}`; path; ) {
    const { headers, body }: RosterAnswer = await get(token, path);
    seen.push(...body.users.map(({ username }: { username: string }) => username));
    const next: string | undefined = /<([^>]*)>; rel="next"/.exec(String(headers.link))?.[1];
    path = next && pathIn(next);
  }
  const students = school.grades.flatMap(({ classes }) => classes.flatMap((room) => room.students));
  expect(seen).toEqual(students.map(({ username }) => username).toReversed());
  const past = await get(token, `/students?limit=5&offset=100&${active}`);
  expect([past.body.users, past.headers['x-total-count']]).toEqual([[], '12']);
  expect(String(past.headers.link)).toMatch(
    /limit=5&offset=10>; rel="prev".*limit=5&offset=0>; rel="first".*limit=5&offset=10>; rel="last"/,
  );
});

it('OneRoster filters and selects fields, and answers 400 to invalid queries', async () => {
  const found = async (text: string, of = 'students') => {
    const { status, body } = await get(token, `/${of}?${filter(text)}&fields=sourcedId,status`);
    expect(status, JSON.stringify(body)).toBe(200);
    const records = Object.values(body)[0] as { sourcedId: string }[];
    for (const record of records) expect(Object.keys(record)).toEqual(['sourcedId', 'status']);
    return idsIn(records);
  };
  const [first, second, third] = inClass as [string, string, string];
  expect(await found("username='s1a1'")).toEqual([first]);
  expect(await found(`sourcedId='${second}'`)).toEqual([second]);
  expect(await found("username>='s1a2' AND username<'s1b'")).toEqual([second, third]);
  expect(await found("username='s1a1' OR username='s1a3' AND grades='01'")).toEqual([first, third]);
  expect(await found("username~'1A' AND sourcedId!='x' AND roles.role='student'")).toEqual(inClass);
  expect(await found(`class.sourcedId='${ofClass(ownClass.id)}'`, 'enrollments')).toHaveLength(3);
  expect(await found("dateLastModified>'2026-01-01T00:00:00Z' AND status='active'")).toHaveLength(12);
  expect(await found("dateLastModified>'2027-01-01T00:00:00Z'")).toEqual([]);
  expect(await found("username='it''s'")).toEqual([]);
  const expectRefused = async (query: string, code: string) => {
    const answer = await get(token, `/students?${query}`);
    expect([query, answer.status, minorCodeOf(answer)]).toEqual([query, 400, code]);
  };
  for (const text of [
    "password='x'",
    'username=s1a1',
    "username='a' username='b'",
    "username='a",
    "dateLastModified>'soon'",
    "dateLastModified>'+275760-09-13T00:00:00Z'",
    "dateLastModified>'-000001-01-01T00:00:00Z'",
    "username='\0'",
  ]) {
    await expectRefused(filter(text), 'invalid_filter_field');
  }
  for (const query of 'limit=0 limit=x limit=1&limit=2 fields=password offset=-1 orderBy=up'.split(' ')) {
    await expectRefused(query, 'invalid_selection_field');
  }
  expect((await get(token, '/students?sort=shoeSize&unheard=of&fields=')).status).toBe(200);
});

it('OneRoster limits lists to the credential’s range, and answers 404 outside it', async () => {
  const ofTeacher = await signIn(teacher);
  expect(idsIn((await get(ofTeacher, '/classes')).body.classes)).toEqual([ofClass(ownClass.id)]);
  expect(idsIn((await get(ofTeacher, '/students')).body.users)).toEqual(inClass);
  expect((await get(ofTeacher, `/schools/${ofSchool}/enrollments`)).headers['x-total-count']).toBe('3');
  const outside = [
    `/classes/${ofClass(otherClass.id)}`,
    `/classes/${ofClass(otherClass.id)}/students`,
    `/students/${ofStudent(otherClass.students[0].id)}`,
    `/students/${ofStudent(otherClass.students[0].id)}/classes`,
    '/schools/classledger-school-4711/students',
    `/courses/classledger-course-${school.grades[1].id}`,
    '/students/%00',
    `/teachers/${inClass[0]}`,
    `/demographics/${inClass[0]}`,
  ];
  for (const path of outside) {
    const answer = await get(ofTeacher, path);
    expect([path, answer.status, minorCodeOf(answer)]).toEqual([path, 404, 'unknownobject']);
  }
});

it('OneRoster needs the permission for every collection that a call names', async () => {
  const named = inClass[0] as string;
  const structure = await signIn(await school.issue({ scopes: ['structure:read'] }));
  const students = await signIn(await school.issue({ scopes: ['students:read'] }));
  const byStudent = filter(`students.sourcedId='${named}'`);
  expect(idsIn((await get(token, `/classes?${byStudent}`)).body.classes)).toEqual([ofClass(ownClass.id)]);
  expect((await get(structure, '/classes')).status).toBe(200);
  const refused = [
    [structure, '/enrollments', 'students:read'],
    [structure, `/students/${named}/classes`, 'students:read'],
    [structure, `/users/${named}/classes`, 'students:read'],
    [structure, `/classes?${byStudent}`, 'students:read'],
    [structure, `/schools/${ofSchool}/classes?${filter(`title='x' OR students.sourcedId='${named}'`)}`],
    [students, `/students/${named}/classes`, 'structure:read'],
    [students, `/classes/${ofClass(ownClass.id)}/students`, 'structure:read'],
    [students, `/schools/${ofSchool}/enrollments`, 'structure:read'],
  ] as const;
  for (const [who, path, missing = 'students:read'] of refused) {
    const answer = await get(who, path);
    const shown = [answer.status, minorCodeOf(answer), answer.headers['x-accepted-permissions']];
    expect([path, ...shown]).toEqual([path, 403, 'forbidden', missing]);
  }
  // An erased student belongs to no class.
  const gone = { classId: otherClass.id, username: 'gone' };
  const { id } = await office.created<{ id: number }>('/students', gone);
  const found = async () =>
    (await get(token, `/classes?${filter(`students.sourcedId='${ofStudent(id)}'`)}`)).body.classes;
  expect(await found()).toHaveLength(1);
  await admin.confirm();
  expect((await admin.post(`/users/${id}/erase`, { schoolDb: school.schoolDb })).status).toBe(200);
  expect(await found()).toEqual([]);
});

it('OneRoster uses the school year of the school’s day, and dates classes by changes of the year or grade', async () => {
  const before = test.clock.now().toISOString();
  onTestFinished(() => test.clock.set(before));
  const far = await createSampleSchool(admin, 'Far away');
  const { id: ownId, schoolDb, grades } = far;
  const credential = await far.issue({});
  const later = async (of: 'classes' | 'users', moment = test.clock.now().toISOString()) =>
    (await get(await signIn(credential), `/${of}?${filter(`dateLastModified>='${moment}'`)}`)).body[of];
  test.clock.advance(60_000);
  await admin.patch(`/grades/${grades[0].id}`, { schoolDb, name: 'Year 7' });
  expect([(await later('classes')).length, (await later('users')).length]).toEqual([2, 6]);
  for (const [timeZone, moment, year, changed] of [
    ['Asia/Shanghai', '2027-07-31T15:59:59.000Z', '2027', before],
    ['Asia/Shanghai', '2027-07-31T16:00:00.000Z', '2028', '2027-07-31T16:00:00.000Z'],
    ['America/New_York', '2027-08-01T03:59:59.000Z', '2027', before],
    ['America/New_York', '2027-08-01T04:00:00.000Z', '2028', '2027-08-01T04:00:00.000Z'],
  ] as const) {
    test.clock.set(before);
    expect((await admin.patch('/school-settings', { schoolDb, timeZone })).status).toBe(200);
    test.clock.set(moment);
    const id = `classledger-year-${ownId}-${year}`;
    const access = await signIn(credential);
    const [session] = (await get(access, '/academicSessions')).body.academicSessions;
    expect(session).toMatchObject({ sourcedId: id, schoolYear: year, dateLastModified: changed });
    const named = await get(access, `/terms/${id}/classes?${filter(`terms.sourcedId='${id}'`)}`);
    expect(named.body.classes).toHaveLength(4);
    expect(await later('classes', '2027-07-31')).toHaveLength(year === '2028' ? 4 : 0);
  }
});

it('OneRoster lists deleted records for 30 days as tobedeleted', async () => {
  const clockNow = test.clock.now().toISOString();
  onTestFinished(() => test.clock.set(clockNow));
  const { schoolDb, grades, issue } = await createSampleSchool(admin, 'Leaving');
  const own = await issue({});
  const [{ classes }, otherGrade] = grades;
  const [room, next] = classes;
  const [moves, goes, isErased] = room.students;
  const homeroom = await issue({ scopeType: 'class', scopeClassId: room.id });
  const since = filter(`dateLastModified>'${clockNow}'`);
  const [ofSchoolApp, ofClassApp] = [await signIn(own), await signIn(homeroom)];
  const deleted = async (path: string, access = ofSchoolApp) => {
    const answer = await get(access, `/${path}?${since}&limit=100`);
    const records = Object.values(answer.body)[0] as { sourcedId: string; status: string }[];
    expect(nonconformities(Object.keys(answer.body)[0] as string, records)).toEqual([]);
    return idsIn(records.filter(({ status }) => status === 'tobedeleted')).sort();
  };
  test.clock.advance(60_000);
  await own.patch(`/students/${moves.id}`, { classId: next.id });
  await own.delete(`/students/${goes.id}?confirm=true`);
  await admin.confirm();
  expect((await admin.post(`/users/${isErased.id}/erase`, { schoolDb })).status).toBe(200);
  await own.delete(`/grades/${otherGrade.id}?confirm=true`);

  const lost = otherGrade.classes.flatMap(({ id: classId, students }) =>
    students.map(({ id }) => ({ id, classId })),
  );
  expect(await deleted('students')).toEqual(ofStudents([goes, isErased, ...lost]));
  const ofRoom = [moves, goes, isErased].map(({ id }) => ({ id, classId: room.id }));
  expect(await deleted('enrollments')).toEqual(
    [...ofRoom, ...lost].map(({ id, classId }) => `classledger-enrollment-${id}-${classId}`).sort(),
  );
  expect(await deleted('classes')).toEqual(otherGrade.classes.map(({ id }) => ofClass(id)).sort());
  expect(await deleted('courses')).toEqual([`classledger-course-${otherGrade.id}`]);
  // For a class credential, a student who moves to another class counts as deleted.
  expect(await deleted('students', ofClassApp)).toEqual(ofStudents([moves, goes, isErased]));
  const { user } = (await get(ofSchoolApp, `/students/${ofStudent(goes.id)}`)).body;
  const account = { username: 's1a2', givenName: '-', enabledUser: 'false' };
  expect(user).toMatchObject({ status: 'tobedeleted', ...account });
  const erased = await get(ofSchoolApp, `/students/${ofStudent(isErased.id)}`);
  expect(JSON.stringify(erased)).not.toContain('s1a3');

  // Deleted records follow the others, page by page.
  const page = async (query: string) => (await get(ofSchoolApp, `/students?${query}`)).body.users;
  const all = await page('limit=100');
  expect(all).toHaveLength(12);
  expect(await page('limit=4&offset=4')).toEqual(all.slice(4, 8));

  await own.patch(`/students/${moves.id}`, { classId: room.id });
  expect(await deleted('students', ofClassApp)).not.toContain(ofStudent(moves.id));
  test.clock.advance(31 * 24 * 3_600_000);
  const late = await signIn(await (await test.signIn()).issue(schoolDb));
  for (const path of ['students', 'enrollments', 'classes', 'courses']) {
    const { body } = await get(late, `/${path}?limit=100`);
    const [records] = Object.values(body) as { status: string }[][];
    expect([path, records?.filter(({ status }) => status !== 'active')]).toEqual([path, []]);
  }
});

it('OneRoster lists class teachers and subject teachers of the range as teachers, with enrollments', async () => {
  const { id: schoolId, schoolDb, grades, issue } = await createSampleSchool(admin, 'Teaching');
  const [{ id: gradeId, classes: [room, next] }, { classes: [far] }] = grades; // biome-ignore format: short
  const head = await createAdmin(test, {
    ...{ username: 'T001', role: 'class_admin', schoolId },
    ...{ gradeId, classId: room.id, teaches: [room.id, next.id] },
  });
  const teaches = [{ classId: room.id, subject: 'Maths' }, { classId: far.id }];
  await admin.created('/admin/manage', {
    ...{ username: 'T002', name: 'Li Wei', password: 'a password of staff', role: 'teacher' },
    ...{ schoolId, teaches },
  });
  await createAdmin(test, { username: 'T003', role: 'teacher', schoolId });
  const own = await signIn(await issue({}));
  const read = async (path: string, access = own) => {
    const { status, body } = await get(access, path);
    expect([path, status]).toEqual([path, 200]);
    const [name = ''] = Object.keys(body);
    expect(nonconformities(name, body[name])).toEqual([]);
    return body[name];
  };
  const teachers = await read('/teachers');
  expect(teachers).toMatchObject([
    { sourcedId: `classledger-teacher-${head.id}`, givenName: 'T001', familyName: '-', username: 'T001' },
    { givenName: 'Li', familyName: 'Wei', enabledUser: 'true', roles: [{ role: 'teacher' }] },
  ]);
  const [first, second] = idsIn(teachers) as [string, string];
  expect(await read('/users?limit=100')).toHaveLength(14);
  expect(await read(`/students?${filter("roles.role='teacher'")}`)).toEqual([]);
  expect((await get(own, `/users/${second}`)).body.user).toEqual(teachers[1]);
  expect((await get(own, `/students/${second}`)).status).toBe(404);
  expect(idsIn(await read(`/classes/${ofClass(room.id)}/teachers`))).toEqual([first, second]);
  expect(idsIn(await read(`/classes/${ofClass(far.id)}/teachers`))).toEqual([second]);
  expect(idsIn(await read(`/teachers/${first}/classes`))).toEqual([ofClass(room.id), ofClass(next.id)]);
  expect(idsIn(await read(`/users/${second}/classes`))).toEqual([ofClass(room.id), ofClass(far.id)]);
  const enrolled = async (access = own) =>
    (await read(`/enrollments?${filter("role='teacher'")}`, access)).map(
      ({ user, class: of, metadata }: Record<string, { sourcedId: string; subject?: string }>) => [
        user?.sourcedId,
        of?.sourcedId,
        metadata?.subject,
      ],
    );
  expect(await enrolled()).toEqual([
    [first, ofClass(room.id), undefined],
    [second, ofClass(room.id), 'Maths'],
    [first, ofClass(next.id), undefined],
    [second, ofClass(far.id), undefined],
  ]);

  // A class credential sees the teachers of its class, and only their place in it.
  const ofNext = await signIn(await issue({ scopeType: 'class', scopeClassId: next.id }));
  expect(idsIn(await read('/teachers', ofNext))).toEqual([first]);
  expect(await enrolled(ofNext)).toEqual([[first, ofClass(next.id), undefined]]);
  expect((await get(ofNext, `/teachers/${second}`)).status).toBe(404);
  const structure = await signIn(await issue({ scopes: ['structure:read'] }));
  expect((await get(structure, '/teachers')).status).toBe(403);

  test.clock.advance(60_000);
  const since = filter(`dateLastModified>='${test.clock.now().toISOString()}'`);
  await admin.patch(`/admin/manage/${head.id}`, { name: 'Zhao Min' });
  expect(await read(`/teachers?${since}`)).toMatchObject([{ givenName: 'Zhao', familyName: 'Min' }]);
  await admin.patch(`/admin/manage/${head.id}`, { disabled: true, teaches: [] });
  expect((await get(own, `/teachers/${first}`)).body.user).toMatchObject({ enabledUser: 'false' });
  await admin.delete(`/admin/manage/${head.id}?schoolDb=${schoolDb}`);
  expect(idsIn(await read('/teachers'))).toEqual([second]);
});

it('OneRoster calls are audited and rate-limited like calls of the external API', async () => {
  const { headers } = await get(token, '/students?limit=1');
  expect(headers).toMatchObject({ 'x-ratelimit-limit': '1000000', 'x-request-id': expect.any(String) });
  const calls = await auditRecords(admin);
  const entry = calls.find(({ requestId }) => requestId === headers['x-request-id']);
  expect(entry).toMatchObject({ path: `${rosterService}/students`, statusCode: 200, method: 'GET' });
});

// Comes last, because an hour passes.
it('an access token works for OneRoster only, and expires after an hour or with its credential', async () => {
  const credential = await school.issue({ name: 'ends soon' });
  const token = await signIn(credential);
  const statuses = [token, `${token}x`, credential.token, ''].map(
    async (one) => (await get(one, '/orgs')).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 401, 401, 401]);
  const outside = { url: '/api/v1/ping', headers: { authorization: `Bearer ${token}` } };
  expect((await http.inject(outside)).statusCode).toBe(401);
  test.clock.advance(3_600_000);
  const used = async () =>
    (await admin.read<{ id: number }[]>('/api-tokens')).find(({ id }) => id === credential.id);
  const late = await get(token, '/orgs');
  expect([late.status, minorCodeOf(late)]).toEqual([401, 'unauthorisedrequest']);
  // Requesting a token does not count as a use of the credential.
  test.clock.advance(1_000);
  const another = await signIn(credential);
  await expect.poll(used).toMatchObject({ callCount: 3, lastUsedAt: test.clock.now().toISOString() });
  const password = { 'x-confirm-password': admin.password };
  expect((await admin.delete(`/api-tokens/${credential.id}`, password)).status).toBe(200);
  expect((await get(another, '/orgs')).status).toBe(401);
});
