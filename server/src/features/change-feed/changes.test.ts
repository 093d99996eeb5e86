import { type ExternalOperation, externalOperations } from '@classledger/contract';
import { expect, it } from 'vitest';
import { CopyByChanges } from '../../../test/copy-by-changes.ts';
import { waitForCompleteFeed } from '../../../test/eventually.ts';
import type { CredentialClient } from '../../../test/identities.ts';
import { createSampleSchool, issueOffices, openSchool } from '../../../test/test-app.ts';

const dayMs = 86_400_000;

interface Page {
  readonly list: { readonly id: number }[];
  readonly cursor: string;
}
const cursorOf = async (client: CredentialClient, query = '') =>
  (await client.read<Page>(`/changes${query}`)).cursor;

const world = await openSchool();
const { test, admin } = world;

it('the feed reports a student who leaves a range as deleted, and a student who enters a range as created', async () => {
  const { office, gradeHead, teacher, school } = world;
  const [a, b] = school.grades[0].classes;
  await waitForCompleteFeed(test);
  const copies = await Promise.all(
    [office, gradeHead, teacher].map((client) => new CopyByChanges(client, 3).begin()),
  );
  const newChanges = async () => {
    await waitForCompleteFeed(test);
    return Promise.all(copies.map((copy) => copy.expectEqualToLists()));
  };
  expect(await newChanges()).toEqual([[], [], []]);
  const [s1, s2] = a.students;
  const [first, second] = [await office.give(s1.id, 3), await office.give(s2.id, -2)];
  const given = [`score created ${first}`, `score created ${second}`];
  expect(await newChanges()).toEqual([given, given, given]);
  await office.patch(`/students/${s1.id}`, { classId: b.id });
  const moved = [`student updated ${s1.id}`];
  const left = [`student deleted ${s1.id}`, `score deleted ${first}`];
  expect(await newChanges()).toEqual([moved, moved, left]);
  await office.patch(`/students/${s1.id}`, { classId: a.id });
  const entered = [`student created ${s1.id}`, `score created ${first}`];
  expect(await newChanges()).toEqual([moved, moved, entered]);
  await office.delete(`/scores/${second}`);
  const revoked = [`score revoked ${second}`];
  expect(await newChanges()).toEqual([revoked, revoked, revoked]);
  // The same name again is no change.
  await office.patch(`/grades/${school.grades[0].id}`, { name: 'Grade 1' });
  await office.patch(`/classes/${a.id}`, { name: 'Class A' });
  expect(await newChanges()).toEqual([[], [], []]);
  // A moved class takes its contents along; in the range of the class, the grade changes.
  const own = { name: 'own', scoreChange: 1, classId: a.id };
  const { id: template } = await office.created<{ id: number }>('/templates', own);
  await newChanges();
  await office.patch(`/classes/${a.id}`, { gradeId: school.grades[1].id, name: 'Class C' });
  const [ofSchool, ofGrade, ofClass] = (await newChanges()) as [string[], string[], string[]];
  expect(ofSchool).toEqual([`class updated ${a.id}`]);
  expect(ofGrade.toSorted()).toEqual(
    [
      `class deleted ${a.id}`,
      `template deleted ${template}`,
      `score deleted ${first}`,
      ...a.students.map(({ id }) => `student deleted ${id}`),
    ].toSorted(),
  );
  expect(ofClass).toEqual([
    `class updated ${a.id}`,
    `grade deleted ${school.grades[0].id}`,
    `grade created ${school.grades[1].id}`,
  ]);
});

it('the tombstone of a deleted student keeps the student’s names until erasure', async () => {
  const school = await createSampleSchool(admin, 'School of names');
  const { office, teacher } = await issueOffices(school);
  const [a, b] = school.grades[0].classes;
  const [s1, s2] = a.students;
  await waitForCompleteFeed(test);
  const after = await cursorOf(teacher);
  await office.patch(`/students/${s1.id}`, { externalId: 'E 9' });
  for (const { id } of [s1, s2]) await office.patch(`/students/${id}`, { classId: b.id });
  await admin.post(`/users/${s2.id}/erase?schoolDb=${school.schoolDb}`, {});
  await waitForCompleteFeed(test);
  expect((await teacher.read<Page>(`/changes?after=${after}&types=student`)).list).toMatchObject([
    { id: s1.id, tombstone: { username: s1.username, externalId: 'E 9', cardNumber: null } },
    { id: s2.id, record: null, tombstone: { username: null, externalId: null, cardNumber: null } },
  ]);
});

it('the feed answers 41001 to a cursor that would miss changes, and 40002 to an invalid cursor', async () => {
  const { office, gradeHead, teacher, school } = world;
  const foreign = (await issueOffices(await createSampleSchool(admin, 'Another'))).office;
  const narrow = await school.issue({ scopes: ['scores:read', 'stats:read'] });
  const codeOf = async (client: CredentialClient, after: string, query = '') =>
    (await client.get(`/changes?after=${after}${query}`)).code;
  const own = await cursorOf(office);
  const altered = (part: number, value: string) => {
    const parts = Buffer.from(own, 'base64url').toString().split(' ');
    return Buffer.from(parts.with(part, value).join(' ')).toString('base64url');
  };
  for (const [client, after, code, query = ''] of [
    [office, own, 0],
    [foreign, own, 41001],
    [gradeHead, own, 41001],
    [teacher, await cursorOf(gradeHead), 41001],
    // A cursor of another database, and one with a future transaction id.
    [office, altered(1, '0123456789abcdef'), 41001],
    [office, altered(6, '999999999999'), 41001],
    // A cursor works for fewer types only. By default, the feed omits types that the caller may not read.
    [narrow, own, 0],
    [office, await cursorOf(narrow), 41001],
    [office, await cursorOf(office, '?types=grade'), 41001, '&types=grade,score'],
    [office, await cursorOf(office, '?types=student,score,grade,class,template'), 41001],
    // A cursor of a release without categories, which has bits for the other five types.
    [office, altered(5, '31'), 0],
    [narrow, own, 40302, '&types=student'],
    ...['x', 'null', `${own}AA`, altered(0, '2'), '%00', '-1'].map(
      (broken) => [office, broken, 40002] as const,
    ),
    [office, own, 40002, '&types=seat'],
    [office, own, 0, '&types='],
  ] as const) {
    expect([after, query, await codeOf(client, after, query)]).toEqual([after, query, code]);
  }
  test.clock.advance(30 * dayMs);
  expect(await codeOf(office, own)).toBe(0);
  test.clock.advance(1);
  expect(await codeOf(office, own)).toBe(41001);
  // After restoring files, the operator changes the comment.
  const present = await cursorOf(office);
  await test.database.pool.query(`COMMENT ON TABLE change IS 'put back'`);
  expect(await codeOf(office, present)).toBe(41001);
});

it('the feed reports every change of both APIs, including what is deleted with a class or grade', async () => {
  // The session of `admin` has ended meanwhile.
  const admin = await test.signIn();
  const school = await createSampleSchool(admin, 'Walked School');
  const { schoolDb, grades } = school;
  const offices = await issueOffices(school);
  const { office } = offices;
  const [{ id: gradeId, classes }, other] = grades;
  const [a, b] = classes;
  const copies = await Promise.all(
    Object.values(offices).map((client, i) => new CopyByChanges(client, 2 + i).begin()),
  );
  const [s1, s2, s3] = [...a.students].map(({ id }) => id) as [number, number, number];
  const made: Record<string, number> = {};
  const add = async (name: string, path: string, body: object) => {
    made[name] = (await office.created<{ id: number }>(path, body)).id;
  };
  const steps: Readonly<Record<string, () => Promise<unknown>>> = {
    createStudents: () => add('s', '/students', { username: 'n', classId: a.id, externalId: 'E 1' }),
    upsertStudents: () => office.put('/students/batch', { batch: [{ externalId: 'E 1', actualName: 'N' }] }),
    updateStudent: () => office.patch(`/students/${s1}`, { cardNumber: '4711' }),
    writeScores: async () => {
      made.r = await office.give(s1, 5, 'well done');
      made.r2 = await office.give(s2, 5, 'well done');
    },
    revokeScore: () => office.delete(`/scores/${made.r2}`),
    createGrade: () => add('g', '/grades', { name: 'further' }),
    renameGrade: () => office.patch(`/grades/${gradeId}`, { name: 'Grade One' }),
    createClass: () => add('c', '/classes', { name: 'further', gradeId }),
    updateClass: () => office.patch(`/classes/${a.id}`, { name: 'Class One' }),
    createTemplate: () => add('t', '/templates', { name: 'all', scoreChange: 1 }),
    createCategory: () => add('k', '/categories', { code: 'k', name: 'kind', colour: 1 }),
    updateCategory: () => office.patch(`/categories/${made.k}`, { retired: true }),
    updateTemplate: () => office.patch(`/templates/${made.t}`, { scoreChange: 2 }),
    createScoreTemplate: () =>
      admin.post('/scores/templates', { schoolDb, name: 'own', scoreChange: 1, classId: a.id }),
    'createUsers, a batch': () =>
      admin.post('/users', { schoolDb, classId: a.id, students: [{ username: 'm' }, { username: 'o' }] }),
    updateUser: () => admin.patch(`/users/${s2}?schoolDb=${schoolDb}`, { actualName: 'Two' }),
    addScore: () => admin.post('/scores/add', { schoolDb, userId: s2, scoreChange: 1 }),
    addScores: () =>
      admin.post('/scores/batch', { schoolDb, items: [{ userId: s1 }, { userId: s3 }], scoreChange: 1 }),
    eraseUser: () => admin.post(`/users/${s1}/erase?schoolDb=${schoolDb}`, {}),
    switchTerm: () => admin.post('/admin/term-switch', { schoolDb, classId: a.id, action: 'archive' }),
    'housekeeping: leavers': async () => {
      await admin.patch('/school-settings', { schoolDb, eraseLeaversAfterDays: 30 });
      await admin.patch(`/users/${s2}?schoolDb=${schoolDb}`, { disabled: true });
      // A cursor would expire with a change that a running transaction still holds back.
      await waitForCompleteFeed(test);
      test.clock.advance(29 * dayMs);
      for (const copy of copies) await copy.catchUp();
      test.clock.advance(2 * dayMs);
      await test.app.housekeep();
    },
    deleteStudent: () => office.delete(`/students/${made.s}?confirm=true`),
    'moves to another class': () => office.patch(`/students/${s3}`, { classId: b.id }),
    deleteClass: () => office.delete(`/classes/${a.id}?confirm=true`),
    deleteGrade: () => office.delete(`/grades/${gradeId}?confirm=true`),
    'deleteGrade, another': () => office.delete(`/grades/${other.id}?confirm=true`),
    deleteTemplate: () => office.delete(`/templates/${made.t}`),
  };
  // The next step deletes or hides what earlier steps changed.
  const last = ['addScores', 'eraseUser', 'switchTerm', 'housekeeping: leavers', 'moves to another class'];
  const silent: string[] = [];
  for (const [name, step] of Object.entries(steps)) {
    await step();
    await waitForCompleteFeed(test);
    const ofSchool = await copies[0]?.catchUp();
    if (ofSchool?.length === 0) silent.push(name);
    const isDeletion = /delete(Class|Grade)/.test(name);
    // Templates of the school leave only the ranges of the deleted class or grade.
    if (isDeletion) expect(ofSchool?.filter((change) => change.includes(' updated '))).toEqual([]);
    if (!last.includes(name) && !isDeletion) continue;
    await Promise.all(copies.map((copy) => copy.expectEqualToLists()));
  }
  expect(silent).toEqual([]);
  const writing = Object.values<ExternalOperation>(externalOperations).filter(
    ({ method, path }) => method !== 'GET' && !path.includes('seats') && !path.includes('webhooks'),
  );
  expect(writing.map(({ id }) => id).filter((id) => !(id in steps))).toEqual([]);
});

it('the feed delivers changes after a long transaction that held them back, and answers 41001 after too long', async () => {
  const { office, school } = world;
  const kept = { username: 'kept', classId: school.grades[1].classes[0].id };
  const { id } = await office.created<{ id: number }>('/students', kept);
  const holder = await test.database.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT pg_current_xact_id()');
  const before = await cursorOf(office);
  const record = await office.give(id, 3);
  test.clock.advance(2 * dayMs);
  const during = await cursorOf(office, `?after=${before}`);
  await holder.query('ROLLBACK');
  holder.release();
  let after = during;
  await expect
    .poll(async () => {
      const page = await office.read<Page>(`/changes?after=${after}&types=score`);
      after = page.cursor;
      return page.list.map((entry) => entry.id);
    })
    .toContain(record);
  test.clock.advance(29 * dayMs);
  expect((await office.get(`/changes?after=${during}`)).code).toBe(41001);
});
