import type {
  Body,
  BulkStudents,
  ExternalOperations,
  InternalOperations,
  Student,
  StudentBatchEntry,
  StudentDetail,
} from '@classledger/contract';
import type { Static } from 'typebox';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createStaff } from '../../../test/administrators.ts';
import { hashCalls } from '../../../test/cheap-argon2.ts';
import type { AdminClient, InternalAnswer } from '../../../test/identities.ts';
import { LockedRows } from '../../../test/locked-rows.ts';
import { openSchool } from '../../../test/test-app.ts';
import { confirmationCheck, verifyPassword } from '../../access/passwords.ts';

const { test, admin, school, office, gradeHead, teacher } = await openSchool();
const staff = await createStaff(test, school);
const { schoolDb } = school;
const [first, second] = school.grades;
const [{ id: from, students: present }, { id: near }] = first.classes;
const far = second.classes[0].id;
const password = 'secret-password';

let counter = 0;
let username: string;

beforeEach(() => {
  username = `new.${++counter}`;
});

afterAll(() => test.expectVerifiedLedger());

const usernames = ({ data }: InternalAnswer) => (data as { username: string }[]).map((one) => one.username);
const list = (who: AdminClient, query = '') => who.get(`/users?schoolDb=${schoolDb}${query}`);
const url = (id: number) => `/users/${id}?schoolDb=${schoolDb}`;
const read = (id: number | null | undefined) => office.read<StudentDetail>(`/students/${id}`);
async function newStudent(): Promise<number> {
  return (await office.created<{ id: number }>('/students', { username, classId: from, password })).id;
}

// Comes first, because the other tests create students.
it('GET /users lists the students of the range by id, without account data', async () => {
  const ofClass = await list(staff.ofClass);
  expect(usernames(ofClass)).toEqual(['s1a1', 's1a2', 's1a3']);
  expect(ofClass.headers['x-total-count']).toBe('3');
  const at = '2026-09-15T10:00:00.000Z';
  expect((ofClass.data as object[])[0]).toEqual({
    ...{ id: expect.any(Number), username: 's1a1', actualName: 's1a1' },
    ...{ externalId: null, cardNumber: null, passwordState: 'shared', disabled: false, erased: false },
    ...{ classId: from, className: 'Class A', gradeId: first.id, gradeName: 'Grade 1' },
    ...{ totalScore: 0, addScore: 0, deductScore: 0, scoreCount: 0, createdAt: at, updatedAt: at },
  });
  expect(usernames(await list(staff.ofGrade))).toHaveLength(6);
  expect(usernames(await list(staff.ofSchool))).toHaveLength(12);
  expect(usernames(await list(admin))).toEqual(usernames(await list(staff.ofSchool)));
});

it.each([
  [`&classId=${near}`, ['s1b1', 's1b2', 's1b3']],
  [`&gradeId=${second.id}&search=B`, ['s2b1', 's2b2', 's2b3']],
  ['&search=%25', []],
  ['&disabled=true', []],
  [`&gradeId=${first.id}&classId=${far}`, []],
])(
  'GET /users filters by class, grade, part of the name and disabled, together (%#)',
  async (query, found) => {
    expect(usernames(await list(admin, query))).toEqual(found);
  },
);

it('a student who moves to another class takes the records along, and lists show them there', async () => {
  const id = await newStudent();
  for (const points of [10, -4]) await office.give(id, points);
  const answer = await office.patch(`/students/${id}`, { classId: far, disabled: true });
  expect(answer.data).toMatchObject({ classId: far, disabled: true });
  const place = { classId: far, className: 'Class A', gradeId: second.id, gradeName: 'Grade 2' };
  expect(await read(id)).toMatchObject({
    ...{ ...place, totalScore: 6, addScore: 10, deductScore: -4, scoreCount: 2 },
    recentScores: [place, place],
  });
  expect(await office.read(`/scores?userId=${id}&classId=${far}`)).toMatchObject({ total: 2 });
  expect(await office.read(`/scores?userId=${id}&classId=${from}`)).toMatchObject({ total: 0 });
  const moved = await staff.ofSchool.patch(url(id), { classId: near });
  expect(moved.data).toMatchObject({ classId: near, className: 'Class B', totalScore: 6 });
});

it('a student is disabled and enabled without locking the daily sums', async () => {
  const id = await newStudent();
  await office.give(id, 2);
  const held = await LockedRows.inTable(test, 'class_day', from, 'class_id');
  for (const disabled of [true, false]) {
    expect((await office.patch(`/students/${id}`, { disabled })).data).toMatchObject({ disabled });
  }
  await held.release();
});

it('DELETE /users/:id returns the deleted student, and ends the student’s sessions', async () => {
  const id = await newStudent();
  const signedIn = await test.signInStudent(schoolDb, username);
  expect((await staff.ofClass.delete(url(id))).data).toEqual({ id, username, classId: from });
  expect((await signedIn.get('/auth/student/me')).status).toBe(401);
  expect((await staff.ofClass.delete(url(id))).status).toBe(404);
});

it('an email address is bound when it is set, visible to staff and the student, and unbound by null', async () => {
  const id = await newStudent();
  const bind = async (email: string | null) => (await staff.ofClass.patch(url(id), { email })).data;
  const now = () => test.clock.now().toISOString();
  const bound = { email: 'li.wei@mail.example', emailBound: true, emailBoundAt: now() };
  expect(await bind(' li.wei@mail.example ')).toMatchObject(bound);
  test.clock.advance(1000);
  const { data: renamed } = await staff.ofClass.patch(url(id), { actualName: 'Li Wei' });
  expect(renamed).toMatchObject({ username, actualName: 'Li Wei', className: 'Class A', ...bound });
  for (const who of [staff.ofSchool, staff.ofGrade, staff.ofClass]) {
    expect(await who.read(url(id))).toEqual(renamed);
  }
  const self = await test.signInStudent(schoolDb, username);
  expect(await self.read('/auth/student/me')).toMatchObject({ email: 'li.wei@mail.example' });
  expect(await bind('new@mail.example')).toMatchObject({ email: 'new@mail.example', emailBoundAt: now() });
  const unbound = { email: null, emailBound: false, emailBoundAt: null };
  expect(await bind(null)).toMatchObject(unbound);
  expect(await staff.ofClass.read(url(id))).toMatchObject(unbound);
});

const apis = {
  external: { client: office, path: '/students', entries: 'batch', chosen: {} },
  internal: { client: admin, path: '/users', entries: 'students', chosen: { schoolDb } },
};

/** A new field of the contract does not compile until it is listed here. */
type Operations = ExternalOperations & InternalOperations;
type Entry = Required<Static<typeof StudentBatchEntry>>;
type Change = Required<Body<Operations['updateStudent']>> &
  Required<Omit<Body<Operations['updateUser']>, 'password' | 'email'>>;

it.each(['external', 'internal'] as const)(
  'the %s API stores every field of a student, and a change keeps the fields that it omits',
  async (api) => {
    const { client, path, entries, chosen } = apis[api];
    const numbersOf = (name: string) => ({ externalId: `${api} ${name}`, cardNumber: `00 ${api} ${name}` });
    const entry: Entry = { username: `${api}.one`, actualName: 'Anna', classId: from, ...numbersOf('one') };
    const several = { ...entry, username: `${api}.several`, ...numbersOf('several') };
    const one = await client.post(path, { ...chosen, ...entry, password });
    expect(one).toMatchObject({ status: 200, data: entry });
    const batch = await client.post(path, { ...chosen, [entries]: [several] });
    const id = (batch.data as BulkStudents).details[0]?.id;
    expect(await read(id)).toMatchObject(several);

    const createdAt = test.clock.now().toISOString();
    test.clock.advance(60_000);
    const times = { createdAt, updatedAt: test.clock.now().toISOString() };
    const place = { classId: near, disabled: true };
    const change: Change = { username: `${api}.new`, actualName: 'Bo', ...place, ...numbersOf('new') };
    let expected: object = { ...several, ...times, id };
    for (const [field, value] of Object.entries(change)) {
      expected = { ...expected, [field]: value };
      const typed = field === 'actualName' ? `  ${value} ` : value;
      const changed = await client.patch(`${path}/${id}`, { ...chosen, [field]: typed });
      expect(changed).toMatchObject({ status: 200, data: expected });
      expect(await read(id)).toMatchObject(expected);
    }
  },
);

const create = (who: AdminClient, body: object) => who.post('/users', { schoolDb, ...body });
const generatePassword = true;

it.each<[what: string, body: object, message: string]>([
  ['neither password nor generatePassword', {}, 'password is required'],
  ['generatePassword: false', { generatePassword: false }, 'password is required'],
  ['both password and generatePassword', { password, generatePassword }, 'not both'],
  ['no class', { generatePassword, classId: undefined }, 'classId is required'],
  [
    'a default password without a batch',
    { defaultPassword: password, username: undefined, classId: undefined },
    'students is required',
  ],
])('creating a student with %s answers 400', async (_what, body, message) => {
  expect(await create(staff.ofClass, { username, classId: from, ...body })).toMatchObject({
    ...{ status: 400, message: expect.stringContaining(message), data: null },
  });
});

it.each([
  '𠮷田',
  '𬸦𰻞',
  '王👨‍👩‍👧',
  'Zoe\u0308',
  'Zo\u00EB',
  '张\uE863\u{F0001}',
  'བཀྲ་ཤིས།',
  '２０２６（Ａ）',
  '李\u200B\u00A0伟',
  '葛\u{E0100}城',
])('a new student keeps the name %s unchanged, and is found by each character of it', async (name) => {
  const characters = name.replace(/\s/g, '');
  const person = { username: username + characters, actualName: name };
  const { data } = await create(staff.ofClass, { ...person, classId: from, generatePassword });
  expect(data).toMatchObject(person);
  for (const search of characters) {
    const found = await list(staff.ofClass, `&search=${encodeURIComponent(search)}`);
    expect(found.data).toContainEqual(expect.objectContaining(person));
  }
});

it('a batch uses the class of a class administrator, and fails entries without a class of others', async () => {
  expect((await create(staff.ofClass, { students: [{ username }] })).data).toMatchObject({ successCount: 1 });
  const students = [{ username: `${username}-b` }, { username: `${username}-b`, classId: from }];
  const mixed = (await create(staff.ofSchool, { students })).data as BulkStudents;
  expect(mixed.details).toMatchObject([
    { success: false, code: 40003, reason: 'classId is required', username: `${username}-b` },
    { success: true, username: `${username}-b` },
  ]);
});

describe('POST /students', () => {
  const totalOf = async () => (await office.read<{ total: number }>('/students')).total;
  async function create(body: object, by = office): Promise<BulkStudents> {
    const answer = await by.post('/students', body);
    expect(answer).toMatchObject({ status: 200, code: 0 });
    return answer.data as BulkStudents;
  }
  it('the API never returns a given password, and stores only the hash of its exact text', async () => {
    const own = ' Pass wörd with spaces ';
    const answer = await office.post('/students', {
      username: ` ${username} `,
      password: own,
      classId: from,
    });
    expect(answer.data).toMatchObject({ username, actualName: username });
    expect(answer.data).not.toHaveProperty('initialPassword');
    expect(JSON.stringify(answer)).not.toContain(own);
    const { id } = answer.data as { id: number };
    const stored = test.database.db
      .selectFrom('student')
      .where('id', '=', id)
      .select('password_hash as hash');
    const { hash } = await stored.executeTakeFirstOrThrow();
    expect(hash).toMatch(/^\$argon2id\$/);
    const asStudent = confirmationCheck('student', 1);
    expect(await verifyPassword(hash, own, asStudent)).toBe(true);
    expect(await verifyPassword(hash, own.trim(), asStudent)).toBe(false);
  });

  it('creating a student with an existing username answers 40901, except in another case of letters', async () => {
    await office.patch(`/students/${await newStudent()}`, { disabled: true });
    for (const classId of [from, far]) {
      const answer = await office.post('/students', { username: ` ${username}`, password, classId });
      expect(answer).toMatchObject({ status: 409, code: 40901, data: null });
    }
    const upper = { username: username.toUpperCase(), password, classId: from };
    expect((await office.post('/students', upper)).code).toBe(0);
  });

  it('a batch of new students returns every entry in order, and wrong entries do not stop the others', async () => {
    const taken = present[0]?.username as string;
    const names = [1, 2, 3].map((n) => `${username}-${n}`);
    const before = await totalOf();
    const entries: [entry: unknown, code: number, username: string | null | undefined][] = [
      [{ username: ` ${names[0]} `, actualName: 'First' }, 0, names[0]],
      [{ username: taken }, 40901, taken],
      [{ username: names[1], classId: far }, 40303, names[1]],
      [{ username: '' }, 40002, ''],
      [{ actualName: 'Nobody' }, 40001, null],
      [{ username: names[2], hobby: 'x' }, 40002, names[2]],
      [{ username: names[2], password }, 40002, names[2]],
      [null, 40002, null],
      [{ username: names[2], actualName: 'winner' }, 0, names[2]],
      [{ username: ` ${names[2]} `, actualName: 'loser' }, 40901, names[2]],
    ];
    const batch = entries.map(([entry]) => entry);
    const data = await create({ classId: from, defaultPassword: password, batch }, gradeHead);
    expect(data).toMatchObject({ successCount: 2, failedCount: 8, totalCount: 10 });
    const expected = entries.map(([, code, name], index) => ({
      ...{ index, success: code === 0, code, username: name },
      ...(code === 0
        ? { reason: null, id: expect.any(Number), passwordEndsAt: null }
        : { reason: expect.any(String), id: null }),
    }));
    expect(data.details).toEqual(expected);
    expect(await totalOf()).toBe(before + 2);
    expect(await read(data.details[8]?.id)).toMatchObject({ actualName: 'winner' });
  });

  it('a batch of new students is refused as a whole: 40003 without entries or a class, 40002 for a wrong field', async () => {
    const entry = { username };
    const placed = { username, classId: from };
    const before = await totalOf();
    for (const [body, code] of [
      [{ classId: from, batch: [] }, 40003],
      [{ classId: from, defaultPassword: password }, 40003],
      [{ batch: [entry] }, 40003],
      [{ batch: [{ ...placed, username: `${username}-1` }, entry] }, 40003],
      [{ batch: [placed, { username: '' }] }, 40003],
      [{ batch: [placed, 'text'] }, 40003],
      [{ classId: from, batch: [entry], password }, 40002],
      [{ classId: from, batch: [entry], username }, 40002],
    ] as const) {
      const answer = await office.post('/students', body);
      expect([body, answer.status, answer.code]).toEqual([body, 400, code]);
    }
    expect(await totalOf()).toBe(before);
  });
});

it('GET /users filters by one or several values of passwordState, with the total, within the range', async () => {
  const [unused, shared, own, elsewhere] = ['a', 'b', 'c', 'd'].map((one) => `${username}-${one}`);
  const create = (body: object, classId = from) => office.post('/students', { classId, ...body });
  await create({ batch: [{ username: unused }] });
  await create({ defaultPassword: password, batch: [{ username: shared }] });
  await create({ username: own, password });
  await create({ username: elsewhere, password }, far);
  const self = await test.signInStudent(schoolDb, `${own}`, password);
  await self.patch('/auth/student/me', { oldPassword: password, newPassword: 'a wooden lantern' });
  for (const [states, found, by] of [
    ['unused', [unused, elsewhere], staff.ofSchool],
    ['shared,unused', [unused, shared, elsewhere], staff.ofSchool],
    ['own', [own], staff.ofSchool],
    ['shared,unused', [unused, shared], staff.ofClass],
  ] as const) {
    const answer = await list(by, `&passwordState=${states}&limit=500`);
    expect(usernames(answer).filter((one) => one.startsWith(`${username}-`))).toEqual(found);
    const page = await list(by, `&passwordState=${states}&limit=1`);
    expect(page.headers['x-total-count']).toBe(String(usernames(answer).length));
  }
});

it.each(['external', 'internal'] as const)(
  'a batch of the %s API warns of a password that its students share, also in a replay',
  async (api) => {
    const { client, path, entries, chosen } = apis[api];
    const create = async (students: readonly object[], more: object = {}, headers = {}) => {
      const body = { ...chosen, classId: from, [entries]: students, ...more };
      return (await client.post(path, body, headers)).data as BulkStudents;
    };
    const batch = [{ username }, { username: `${username}-b` }];
    const key = { 'idempotency-key': `shared ${username}` };
    const shared = { defaultPassword: 'class2026' };
    const answer = await create(batch, shared, key);
    const warning = expect.stringContaining('can sign in as each of these students');
    expect(answer.sharedPassword).toEqual({ expiresAt: null, warning });
    test.clock.advance(1000);
    expect(await create(batch, shared, key)).toEqual(answer);
    // Nobody got the shared password.
    for (const [again, successCount] of [
      [await create(batch, shared), 0],
      [await create([{ username: `${username}-c` }]), 1],
    ] as const) {
      expect(again).toMatchObject({ successCount });
      expect(again).not.toHaveProperty('sharedPassword');
    }
  },
);

it('only the passwords of accepted entries of a batch are hashed, once per idempotency key, even after a rename', async () => {
  const batch = [
    { username: present[0]?.username },
    { username: `${username}-a`, classId: far },
    { username: `${username}-a` },
    { username: `${username}-a` },
    { username: `${username}-b` },
  ];
  const key = { 'idempotency-key': username };
  const before = hashCalls.count;
  const send = () => teacher.post('/students', { defaultPassword: password, batch }, key);
  const first = await send();
  const { details } = first.data as BulkStudents;
  expect(details.map(({ code }) => code)).toEqual([40901, 40303, 0, 40901, 0]);
  await office.patch(`/students/${details[2]?.id}`, { username: `${username}-renamed` });
  expect(await send()).toMatchObject({ data: first.data, headers: { 'idempotency-replayed': 'true' } });
  expect(hashCalls.count - before).toBe(2);
});

/** Usernames and names with special characters of patterns. */
const people: [username: string, actualName: string][] = [
  ['anna', 'Anna Keller'],
  ['Bert', 'bertram'],
  ['per%cent', '100 % sure'],
  ['under_score', 'a_b'],
  ['back\\slash', 'C:\\temp'],
  ['underXscore', 'aXb'],
  ['quote\'"', "O'Hara"],
  ['li.wei', '李伟'],
  ['ärger', 'ÄÖÜ'],
  ['[a-z]*', '.+(x)?'],
  ['zoe', 'Zoë'],
];

describe('GET /students', async () => {
  const made = await admin.created<{ schoolDb: string }>('/schools', { name: 'School of names' });
  const office = await admin.issue(made.schoolDb);
  const newId = async (path: string, body: object) => (await office.created<{ id: number }>(path, body)).id;
  const gradeId = await newId('/grades', { name: 'Grade 1' });
  const classes = [
    await newId('/classes', { name: 'A', gradeId }),
    await newId('/classes', { name: 'B', gradeId }),
  ];
  const batch = people.map(([username, actualName], i) => ({
    ...{ username, actualName, externalId: `S-${i}`, cardNumber: `00${i}`, classId: classes[i % 2] },
  }));
  const { details } = await office.created<BulkStudents>('/students', { batch });
  for (const points of [5, -5]) await office.give(details[9]?.id as number, points);
  await office.patch(`/students/${details[3]?.id}`, { disabled: true });
  async function listed(query: string): Promise<{ list: Student[]; total: number }> {
    const answer = await office.get(`/students?${query}`);
    expect([query, answer.status, answer.code]).toEqual([query, 200, 0]);
    return answer.data as { list: Student[]; total: number };
  }
  const everyone = (await listed('limit=100')).list;

  it('returns every field of a student with the four sums', () => {
    expect(everyone).toHaveLength(people.length);
    expect(everyone[9]).toEqual({
      ...{ id: expect.any(Number), username: '[a-z]*', actualName: '.+(x)?' },
      ...{ externalId: 'S-9', cardNumber: '009', disabled: false },
      ...{ classId: classes[1], className: 'B', gradeId, gradeName: 'Grade 1' },
      ...{ totalScore: 0, addScore: 5, deductScore: -5, scoreCount: 2 },
      ...{ createdAt: '2026-09-15T10:00:00.000Z', updatedAt: '2026-09-15T10:00:00.000Z' },
    });
  });

  const [anna, bert, , under] = everyone as [Student, Student, Student, Student];
  const keywords: [keyword: string, found: string[]][] = [
    ['NN', ['anna']],
    ['ER', ['anna', 'Bert', 'per%cent', 'under_score', 'underXscore', 'ärger']],
    ['%', ['per%cent']],
    ['_', ['under_score']],
    ['\\', ['back\\slash']],
    ['\\t', ['back\\slash']],
    ['\\%', []],
    ["'", ['quote\'"']],
    ['李', ['li.wei']],
    ['äö', ['ärger']],
    ['ÄRG', ['ärger']],
    ['.', ['li.wei', '[a-z]*']],
    ['.+(', ['[a-z]*']],
    ['  Keller  ', ['anna']],
    ['na Ke', ['anna']],
    ['nobody', []],
  ];

  it.each<[query: string, found: string[]]>([
    ['externalId=S-3', ['under_score']],
    ['externalId=%20S-3%20', ['under_score']],
    ['externalId=s-3', []],
    ['externalId=S-', []],
    ['cardNumber=004', ['back\\slash']],
    ['cardNumber=4', []],
    ['cardNumber=004&externalId=S-3', []],
    [`cardNumber=004&classId=${classes[1]}`, []],
    ['username=%20anna%20', ['anna']],
    ['username=Anna', []],
    ['username=ann', []],
    ['username=%25', []],
    [`ids=${bert.id},${anna.id},999999999,${anna.id}`, ['anna', 'Bert']],
    [`ids=${anna.id}%2C${under.id}&disabled=true`, ['under_score']],
    [`ids=${anna.id},${bert.id}&username=Bert`, ['Bert']],
    [`ids=${anna.id}&username=Bert`, []],
    [`ids=${anna.id},${bert.id}&classId=${anna.classId}&keyword=n`, ['anna']],
    ...keywords.map(([keyword, found]): [string, string[]] => [
      `keyword=${encodeURIComponent(keyword)}`,
      found,
    ]),
  ])('filters exactly by %s, and by parts of names in upper or lower case', async (query, found) => {
    const page = await listed(query);
    expect(page.list).toEqual(everyone.filter(({ username }) => found.includes(username)));
    expect(page.total).toBe(found.length);
  });

  it('counts all found students on a page behind the last one', async () => {
    expect(await listed(`ids=${anna.id},${bert.id}&limit=1&page=3`)).toMatchObject({ list: [], total: 2 });
  });
});
