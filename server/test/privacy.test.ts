import {
  type ExternalOperation,
  externalOperations,
  type InternalOperation,
  type InternalOperationId,
  internalOperations,
} from '@classledger/contract';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import type { InternalAnswer } from './identities.ts';
import { type Identity, identities } from './internal-access-identities.ts';
import type { Row } from './internal-access-rows.ts';
import { accessTable } from './internal-access-table.ts';
import { AccessWorld } from './internal-access-world.ts';

/**
 * What answers hold: what the caller needs and nothing more. Every operation is called in every way of the access
 * table by everyone who may, and what comes back is walked.
 */

/** The email address of every student of both schools, by id. */
const addresses = new Map<number, string>();

const world = await AccessWorld.open();
for (const [place, head] of [
  [world.home, world.staff.school],
  [world.abroad, world.staff.foreignSchool],
] as const) {
  const { schoolDb } = place;
  const students = (await head.get(`/users?schoolDb=${schoolDb}`)).data as { id: number }[];
  for (const { id } of students) {
    const email = `student.${id}@home.example`;
    expect(await head.patch(`/users/${id}`, { schoolDb, email })).toMatchObject({ status: 200 });
    addresses.set(id, email);
  }
}

const declared: Readonly<Record<string, InternalOperation>> = internalOperations;

/** Whatever must never be in an answer: stored hashes, and the secrets of everyone. */
async function secrets(): Promise<string[]> {
  const { db } = world.test.database;
  const hashes = (
    await Promise.all([
      db.selectFrom('api_token').select('token_hash').execute(),
      db.selectFrom('admin_session').select('token_hash').execute(),
      db.selectFrom('student_session').select('token_hash').execute(),
      db.selectFrom('recovery_code').select('code_hash as token_hash').execute(),
      db.selectFrom('sign_in_code').select('code_hash as token_hash').execute(),
    ])
  )
    .flat()
    .flatMap(({ token_hash }) =>
      ['hex', 'base64', 'base64url'].map((as) => token_hash.toString(as as 'hex')),
    );
  const people = Object.values(world.staff);
  const sessions = people.map(({ cookie }) => cookie.split('=')[1] as string);
  const passwords = [...people.map(({ password }) => password), world.student.password];
  return ['$argon2', ...hashes, ...passwords, ...sessions, world.student.token, world.credential.token];
}

/** The email addresses that an answer may hold, and must: its own student's, to those who may know it. */
function addressesFor(operation: InternalOperationId, identity: Identity, answer: InternalAnswer): string[] {
  const ofAdmins = ['getUser', 'updateUser', 'exportUser'].includes(operation);
  const ofStudents = operation === 'getStudentMe' || operation === 'studentLogin';
  // A super administrator belongs to no school.
  const mayKnow = ofStudents || (ofAdmins && identity !== 'super');
  const { id } = (answer.data ?? {}) as { id?: number };
  const own = mayKnow && id !== undefined ? addresses.get(id) : undefined;
  return own === undefined ? [] : [own];
}

/** Fields, at the top of `data` or in its details, whose value is a secret that is shown once. */
const shownOnce: Partial<Record<InternalOperationId, readonly string[]>> = {
  issueCredential: ['token'],
  studentLogin: ['token'],
  signInByCode: ['token'],
  createUsers: ['initialPassword', 'signInCode'],
  importStudents: ['initialPassword', 'signInCode'],
  startCodeApp: ['enrolment', 'secret'],
  confirmCodeApp: ['recoveryCodes'],
  createRecoveryCodes: ['recoveryCodes'],
  addPasskey: ['recoveryCodes'],
  resetUserPassword: ['initialPassword', 'signInCode'],
  resetUserPasswords: ['initialPassword', 'signInCode'],
  createAdministrator: ['initialPassword'],
  assignClassTeachers: ['initialPassword'],
  resetAdministratorPassword: ['initialPassword'],
};

/** Fields that speak of passwords and hold none. */
const aboutPasswords = new Set(['mustChangePassword', 'passwordEndsAt', 'passwordState', 'sharedPassword']);

/** Names of the fields of an answer that the schema does not declare, and those that speak of secrets. */
function undeclared(schema: unknown, value: unknown, path = 'data'): string[] {
  const { anyOf, properties, items } = schema as {
    anyOf?: unknown[];
    properties?: Record<string, unknown>;
    items?: unknown;
  };
  if (anyOf) {
    const found = anyOf.map((each) => undeclared(each, value, path));
    return found.find((each) => each.length === 0) ?? (found[0] as string[]);
  }
  if (Array.isArray(value)) return value.flatMap((entry) => undeclared(items, entry, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const field = properties?.[name];
    return field === undefined ? [`${path}.${name}`] : undeclared(field, part, `${path}.${name}`);
  });
}

function fieldsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [name, ...fieldsOf(part)]);
}

const titled = (rows: readonly Row[]) =>
  rows.map((row) => [row.note === null ? row.operation : `${row.operation} (${row.note})`, row] as const);

describe('every answer of the internal API', () => {
  it.each(titled(accessTable))('holds nothing secret and nothing foreign: %s', async (_title, row) => {
    const { operation } = row;
    const schema = declared[operation]?.data as TSchema;
    const check = Compile(schema);
    for (const identity of identities.filter((each) => row.expected[each] === 200)) {
      const answer = await world.call(identity, row);
      expect([identity, answer.status]).toEqual([identity, 200]);
      const { data } = answer;
      expect(check.Errors(data)).toEqual([]);
      expect(undeclared(schema, data)).toEqual([]);

      const text = JSON.stringify(answer);
      expect((await secrets()).filter((secret) => text.includes(secret))).toEqual([]);
      // Of nothing that is stored is a hash shown, in whatever form.
      expect(text).not.toMatch(/\b[0-9a-f]{64}\b/i);
      const speaking = fieldsOf(data).filter(
        (name) =>
          /hash|password|secret|token$|inCode$|recoveryCodes$|enrolment|cookie|session/i.test(name) &&
          !aboutPasswords.has(name),
      );
      expect([...new Set(speaking)].sort()).toEqual(
        speaking.length === 0 ? [] : (shownOnce[operation] ?? ['a field that is shown once']),
      );
      const found = text.match(/[^\s"@]+@[^\s"@]+\.[^\s"@]+/g) ?? [];
      expect([identity, found]).toEqual([identity, addressesFor(operation, identity, answer)]);
    }
  });

  it('shows what is to be seen once, and not again', async () => {
    const { home, staff, test } = world;
    const token = (await staff.school.issue(home.schoolDb, { name: 'shown once' })).token;
    const body = {
      schoolDb: home.schoolDb,
      classId: home.classId,
      username: 'shown once',
      generatePassword: true,
    };
    const created = await staff.school.post('/users', body);
    const { id, initialPassword } = created.data as { id: number; initialPassword: string };
    expect(initialPassword.length).toBeGreaterThanOrEqual(6);
    await test.signInStudent(home.schoolDb, 'shown once', initialPassword);
    for (const path of ['/api-tokens', '/api-tokens/logs', '/users', `/users/${id}`, '/admin/activity']) {
      const text = JSON.stringify(await staff.school.get(`${path}?schoolDb=${home.schoolDb}`));
      expect([path, text.includes(token), text.includes(initialPassword)]).toEqual([path, false, false]);
    }
  });

  it('tells a super administrator whether a student has an email address, and not which', async () => {
    const { home, staff } = world;
    const path = `/users/${home.student.id}?schoolDb=${home.schoolDb}`;
    expect((await staff.super.get(path)).data).toMatchObject({ email: null, emailBound: true });
    expect((await staff.class.get(path)).data).toMatchObject({ email: addresses.get(home.student.id) });
  });
});

describe('the schemas of answers', () => {
  const operations = [...Object.values(internalOperations), ...Object.values(externalOperations)];

  it.each(operations.map(({ id, data }) => [id, data] as const))('are closed: %s', (_id, data) => {
    expect(openParts(data)).toEqual([]);
  });

  /** Parts of a schema that let anything through: without a type, or objects with fields that are not declared. */
  function openParts(schema: unknown, path = 'data'): string[] {
    const part = schema as {
      type?: string | string[];
      enum?: unknown[];
      anyOf?: unknown[];
      properties?: Record<string, unknown>;
      items?: unknown;
      additionalProperties?: unknown;
      patternProperties?: unknown;
    };
    if (part.anyOf) return part.anyOf.flatMap((each) => openParts(each, path));
    const types = [part.type ?? []].flat();
    if (types.length === 0 && !part.enum) return [path];
    if (types.includes('array')) {
      return part.items === undefined ? [path] : openParts(part.items, `${path}[]`);
    }
    if (!types.includes('object')) return [];
    const isOpen =
      part.properties === undefined ||
      part.patternProperties !== undefined ||
      (part.additionalProperties ?? false) !== false;
    const below = Object.entries(part.properties ?? {});
    return [
      ...(isOpen ? [path] : []),
      ...below.flatMap(([name, field]) => openParts(field, `${path}.${name}`)),
    ];
  }
});

describe('the external API', () => {
  it('declares no email address in any answer', () => {
    for (const { id, data } of Object.values(externalOperations) as ExternalOperation[]) {
      const fields = [...JSON.stringify(data).matchAll(/"(\w*e_?mail\w*)":\{/gi)].map(([, name]) => name);
      expect([id, fields.filter((name) => name !== 'emailBound' && name !== 'emailBoundAt')]).toEqual([
        id,
        [],
      ]);
    }
  });

  it('shows none to a credential of the whole school with every permission', async () => {
    const { home, credential } = world;
    const { student, classId, gradeId } = home;
    const made = await credential.post('/students', { username: 'by the api', classId });
    const { id } = made.data as { id: number };
    const answers = [
      made,
      await credential.get('/ping'),
      await credential.get('/students?limit=100'),
      await credential.get(`/students/${student.id}`),
      await credential.patch(`/students/${student.id}`, { actualName: 'Somebody else' }),
      await credential.post('/scores', { userId: student.id, scoreChange: 1 }),
      await credential.post('/scores', { scoreChange: 1, items: [{ userId: student.id }] }),
      await credential.get('/scores?limit=100'),
      await credential.get(`/grades`),
      await credential.patch(`/grades/${gradeId}`, { name: 'Renamed' }),
      await credential.get('/classes'),
      await credential.get('/templates'),
      await credential.get('/stats/overview'),
      await credential.get('/students?keyword=home.example'),
      await credential.delete(`/students/${id}?confirm=true`),
    ];
    for (const { code } of answers) expect(code).toBe(0);
    const texts = answers.map((answer) => JSON.stringify(answer));
    expect(texts.filter((text) => text.includes('home.example'))).toEqual([]);
    expect(answers[3]?.data).toMatchObject({ emailBound: true });
    // Nor can an address be found out by looking for it.
    expect(answers[13]?.data).toMatchObject({ total: 0 });
    const search = `/users?schoolDb=${home.schoolDb}&search=home.example`;
    expect((await world.staff.school.get(search)).data).toEqual([]);
  });
});
