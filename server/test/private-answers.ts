import { type InternalOperation, type InternalOperationId, internalOperations } from '@classledger/contract';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect } from 'vitest';
import type { InternalAnswer } from './identities.ts';
import type { Row } from './internal-access-table.ts';
import type { AccessWorld, Identity } from './internal-access-world.ts';

const declared: Readonly<Record<string, InternalOperation>> = internalOperations;

const storedHashes = `
  SELECT token_hash AS hash FROM api_token UNION ALL SELECT token_hash FROM admin_session
  UNION ALL SELECT token_hash FROM student_session UNION ALL SELECT code_hash FROM recovery_code
  UNION ALL SELECT code_hash FROM sign_in_code`;

async function hashesOf({ test }: AccessWorld): Promise<string[]> {
  const { rows } = await test.database.pool.query<{ hash: Buffer }>(storedHashes);
  return rows.flatMap(({ hash }) => (['hex', 'base64', 'base64url'] as const).map((as) => hash.toString(as)));
}

function secretsOf({ staff, student, credential }: AccessWorld): string[] {
  const people = Object.values(staff);
  const sessions = people.map(({ cookie }) => cookie.split('=')[1] as string);
  const passwords = [...people.map(({ password }) => password), student.password];
  return ['$argon2', ...passwords, ...sessions, student.token, credential.token];
}

/** Returns the email addresses that an answer must hold: those of the caller's own students, if permitted. */
function addressesFor(
  { emails }: AccessWorld,
  operation: InternalOperationId,
  identity: Identity,
  answer: InternalAnswer,
): string[] {
  const ofAdmins = ['getUser', 'updateUser', 'exportUser'].includes(operation);
  const ofStudents = operation === 'getStudentMe' || operation === 'studentLogin';
  // A super administrator belongs to no school, so sees no address.
  const mayKnow = ofStudents || (ofAdmins && identity !== 'super');
  const { id } = (answer.data ?? {}) as { id?: number };
  const own = mayKnow && id !== undefined ? emails.get(id) : undefined;
  return own === undefined ? [] : [own];
}

const shownOnce: Partial<Record<InternalOperationId, readonly string[]>> = {
  issueCredential: ['token'],
  studentLogin: ['token'],
  signInByCode: ['token'],
  createUsers: ['initialPassword', 'signInCode'],
  listImportRows: ['initialPassword', 'signInCode'],
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

/** Fields that mention passwords but hold none. */
const aboutPasswords = new Set(['mustChangePassword', 'passwordEndsAt', 'passwordState', 'sharedPassword']);

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

/** Expects only declared fields, secrets that are shown once, and addresses of the caller's own students. */
export async function expectPrivate(
  world: AccessWorld,
  { operation }: Row,
  answers: readonly (readonly [Identity, InternalAnswer])[],
): Promise<void> {
  const schema = declared[operation]?.data as TSchema;
  const check = Compile(schema);
  const hashes = answers.length > 0 ? await hashesOf(world) : [];
  for (const [identity, answer] of answers) {
    const { data } = answer;
    expect(check.Errors(data)).toEqual([]);
    expect(undeclared(schema, data)).toEqual([]);

    const text = JSON.stringify(answer);
    expect(secretsOf(world).filter((secret) => text.includes(secret))).toEqual([]);
    const longWords = text.match(/[\w+/=-]{40,}/g) ?? [];
    expect(longWords.filter((word) => hashes.some((hash) => word.includes(hash)))).toEqual([]);
    // Nor a hash that is no longer stored.
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
    expect([identity, found]).toEqual([identity, addressesFor(world, operation, identity, answer)]);
  }
}
