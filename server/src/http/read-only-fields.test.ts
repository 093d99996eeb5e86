import { externalOperations, internalOperations } from '@classledger/contract';
import type { TObject } from 'typebox';
import { describe, expect, it } from 'vitest';
import { openSchool } from '../../test/test-app.ts';

const { test, admin, school, office, teacher } = await openSchool();
const { schoolDb } = school;
const [grade] = school.grades;
const [{ id: classId, students }] = grade.classes;
const [student, other] = students;
await office.give(student.id, 3);
const account = { username: 'office', password: 'kindle4242', role: 'school_admin', schoolId: school.id };
const chief = await admin.created<{ id: number }>('/admin/manage', account);
const ofSchool = await test.signIn('office', 'kindle4242');

type Row = Record<string, unknown>;
const record = (answer: { data: unknown }) => answer.data as Row;
const inArray = (entries: unknown, id: number): Row =>
  (entries as { id: number }[]).find((entry) => entry.id === id) as unknown as Row;
const refusal = (name: string) => `${name} cannot be changed here: leave it out, or send it as it is`;

function otherThan(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return /^\d{4}-/.test(value) ? '2001-01-01T00:00:00.000Z' : `${value}x`;
  return value === null ? 'x' : ['x'];
}

const templateId = record(await office.post('/templates', { name: 'Tidy', scoreChange: 1 })).id as number;
const kind = { code: 'k', name: 'Kind', colour: 1 };
const categoryId = record(await office.post('/categories', kind)).id as number;
const webhookId = record(
  await office.post('/webhooks', { url: 'https://hooks.example/x', events: ['student.created'] }),
).id as number;
const news = { title: 'T', content: '<p>c</p>' };
const announcement = await admin.created<{ id: number }>('/announcements', news);
const applied = { schoolName: 'S', applicantName: 'A', contactPhone: '1', reason: 'r' };
const application = await admin.created<{ id: number }>('/applications', applied);
const plan = { groupCount: 1, rowsPerGroup: 1, colsPerGroup: 3 };
await admin.post('/seats/data/generate', { schoolDb, classId, ...plan });
const [seat] = await admin.read<[{ id: number }]>(`/seats/data?schoolDb=${schoolDb}&classId=${classId}`);
const seatId = seat.id;

/** An operation, the id in its path, the list that shows the record if the path does not, and a change. */
type Changed = readonly [{ readonly path: string; readonly body: TObject }, number, string | null, Row];

const external: readonly Changed[] = [
  [externalOperations.updateStudent, student.id, null, { actualName: 'New Name' }],
  [externalOperations.renameGrade, grade.id, '/grades', { name: 'Renamed' }],
  [externalOperations.updateClass, classId, '/classes', { name: 'Renamed' }],
  [externalOperations.updateTemplate, templateId, '/templates', { scoreChange: 4 }],
  [externalOperations.updateCategory, categoryId, '/categories', { colour: 2 }],
  [externalOperations.updateWebhook, webhookId, null, { active: false }],
];

const internal: readonly Changed[] = [
  [internalOperations.updateUser, student.id, null, { actualName: 'Newer Name' }],
  [internalOperations.updateSchoolGrade, grade.id, '/grades', { name: 'Once more' }],
  [internalOperations.updateSchoolClass, classId, '/classes', { name: 'Once more' }],
  [internalOperations.updateScoreTemplate, templateId, '/scores/templates', { description: 'weekly' }],
  [internalOperations.updateScoreCategory, categoryId, '/scores/categories', { name: 'Virtue' }],
  [internalOperations.updateSeat, seatId, '/seats/data', { userId: other.id }],
  [internalOperations.updateSchoolSettings, 0, null, { classmates: 'all' }],
  [internalOperations.updateSchool, school.id, null, { name: 'Lakeside' }],
  [internalOperations.updateAnnouncement, announcement.id, '/announcements/admin', { title: 'Changed' }],
  [internalOperations.updateAdministrator, chief.id, null, { username: 'office-2' }],
  [internalOperations.updateCredential, teacher.id, '/api-tokens', { name: 'Teacher' }],
  [internalOperations.updateCredentialWebhook, webhookId, '/webhooks', { active: false }],
];

const pathOf = ([{ path }, id]: Changed) => path.replace(':id', String(id));
const changes = [
  ...external.map((changed) => {
    const [{ body: taken }, id, list, change] = changed;
    const path = pathOf(changed);
    return {
      ...{ api: 'external', path, change, takes: Object.keys(taken.properties) },
      read: async () => {
        const shown = record(await office.get(list ?? path));
        return list ? inArray(shown.list, id) : shown;
      },
      patch: (body: Row) => office.patch(path, body),
    };
  }),
  ...internal.map((changed) => {
    const [{ body: taken }, id, list, change] = changed;
    const path = pathOf(changed);
    return {
      // Another school would contradict schoolDb and get that error.
      ...{ api: 'internal', path, change, takes: [...Object.keys(taken.properties), 'schoolId', 'schoolDb'] },
      read: async () => {
        // Only administrators of the school see email addresses.
        const by = path.startsWith('/users') ? ofSchool : admin;
        const shown = record(await by.get(`${list ?? path}?schoolDb=${schoolDb}`));
        return list ? inArray(shown, id) : shown;
      },
      patch: (body: Row) => admin.patch(path, { schoolDb, ...body }),
    };
  }),
];

describe.each(changes)('PATCH $path of the $api API', ({ read, patch, change, takes }) => {
  it('the change accepts the whole record with one field changed', async () => {
    const before = await read();
    expect(await patch({ ...before, ...change })).toMatchObject({ status: 200, data: change });
  });

  it('a PATCH that gives a read-only field a different value is refused and changes nothing', async () => {
    const before = await read();
    for (const name of Object.keys(before).filter((each) => !takes.includes(each))) {
      const answer = await patch({ ...before, [name]: otherThan(before[name]) });
      expect(answer).toMatchObject({ status: 400, data: null, message: refusal(name) });
    }
    expect(await read()).toEqual(before);
  });
});

it('a change is rejected with only read-only fields, or with unknown fields', async () => {
  const path = `/grades/${grade.id}`;
  expect(await office.patch(path, { id: grade.id })).toMatchObject({ status: 400, code: 40001 });
  const unknown = await office.patch(path, { name: 'Renamed', id: grade.id, score: 1 });
  expect(unknown).toMatchObject({ code: 40002, message: expect.stringContaining('"score" is not a field') });
});

it.each([
  ['/users', () => ({ classId, username: 'comer', actualName: 'Comer', password: 'kindle4242' })],
  [
    '/admin/manage',
    () => ({ username: 'head', password: 'kindle4242', role: 'school_admin', schoolId: school.id }),
  ],
])('PATCH accepts the answer of POST %s with one field changed', async (path, body) => {
  const made = await admin.created<{ id: number }>(path, { schoolDb, ...body() });
  expect(made).toHaveProperty('passwordEndsAt');
  const answer = await admin.patch(`${path}/${made.id}`, { schoolDb, ...made, username: 'renamed' });
  expect(answer).toMatchObject({ status: 200, data: { username: 'renamed' } });
});

it('a review may send back the unchanged application; a different value in a read-only field gets 400', async () => {
  const path = `/applications/${application.id}`;
  const before = inArray(await admin.read('/applications'), application.id);
  const review = { status: 'approved', reviewNote: 'Welcome' };
  const changed = await admin.patch(path, { ...before, ...review, schoolName: 'Mine' });
  expect(changed).toMatchObject({ status: 400, message: refusal('schoolName') });
  expect((await admin.patch(path, { ...before, ...review })).data).toMatchObject(review);
});

const path = `/students/${other.id}`;
const read = async () => record(await office.get(path));

it('a read-only field may have the same instant in another notation', async () => {
  const { createdAt } = await read();
  const instants = [String(createdAt).replace('.000Z', 'Z'), String(createdAt).replace('.000Z', '+00:00')];
  for (const instant of instants) {
    expect(await office.patch(path, { actualName: 'Same', createdAt: instant })).toMatchObject({ code: 0 });
  }
});

it('a read-only field is rejected when another request has changed its value', async () => {
  const before = await read();
  await office.give(other.id);
  expect((await office.patch(path, before)).message).toMatch(
    /^(totalScore|addScore|scoreCount|recentScores) cannot/,
  );
});

it('null in a read-only field counts as absent when the record’s value is not null', async () => {
  expect(await office.patch(path, { actualName: 'Same', createdAt: null, totalScore: null })).toMatchObject({
    code: 0,
  });
});

it('a read-only id must match exactly, however large', async () => {
  for (const id of ['9007199254740993', '1e400', `"${other.id}"`, `${other.id}.5`]) {
    expect(await office.patch(path, `{"actualName":"Same","id":${id}}`)).toMatchObject({ status: 400 });
  }
});

it('a read-only field reveals nothing that the credential may not read', async () => {
  const writer = await school.issue({ scopes: ['students:write'] });
  const { totalScore, createdAt } = await read();
  expect(await writer.patch(path, { actualName: 'Same', createdAt })).toMatchObject({ code: 0 });
  for (const value of [totalScore, Number(totalScore) + 1]) {
    const answer = await writer.patch(path, { actualName: 'Same', totalScore: value });
    expect(answer).toMatchObject({ code: 40002, message: '"totalScore" is not a field of this request' });
  }
});

it('a read-only field does not reveal a value of a student outside the range', async () => {
  const outside = school.grades[1].classes[0].students[0].id;
  for (const className of ['c0', `c${school.grades[1].classes[0].id}`]) {
    const answer = await teacher.patch(`/students/${outside}`, { actualName: 'X', className });
    expect(answer).toMatchObject({ status: 403, code: 40303 });
  }
  expect(await office.patch('/students/999999', { actualName: 'X', id: 5 })).toMatchObject({ code: 40401 });
});

it('a change by a super administrator keeps an email address that they cannot see', async () => {
  const own = `/users/${other.id}`;
  const email = async () => record(await ofSchool.get(`${own}?schoolDb=${schoolDb}`)).email;
  await ofSchool.patch(own, { schoolDb, email: 'a@b.example' });
  const seen = record(await admin.get(`${own}?schoolDb=${schoolDb}`));
  expect(seen).toMatchObject({ email: null, emailBound: true });
  expect((await admin.patch(own, { schoolDb, ...seen, actualName: 'Kept' })).status).toBe(200);
  expect(await email()).toBe('a@b.example');
  expect((await admin.patch(own, { schoolDb, email: null })).status).toBe(200);
  expect(await email()).toBeNull();
});
