import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { externalOperations } from './external/index.ts';
import { internalOperations } from './internal/index.ts';
import {
  type ExternalOperation,
  external,
  hasForms,
  type InternalOperation,
  internal,
  kinds,
} from './operation.ts';

type Operation = ExternalOperation | InternalOperation;

const doors: readonly (readonly [string, Readonly<Record<string, Operation>>])[] = [
  ['external', externalOperations],
  ['internal', internalOperations],
];

function complaints(schema: TSchema, value: unknown): unknown[] {
  const fields =
    (schema as { properties?: Record<string, TSchema & { 'x-entry'?: TSchema }> }).properties ?? {};
  const ofEntries = Object.entries(fields).flatMap(([name, field]) => {
    const entries = (value as Record<string, unknown> | null)?.[name];
    if (!field['x-entry'] || !Array.isArray(entries)) return [];
    return entries.flatMap((entry) => complaints(field['x-entry'] as TSchema, entry));
  });
  return [...Compile(schema).Errors(value), ...ofEntries];
}

/** Removes the school, which the server takes out before it checks the body. */
function ownPart(operation: Operation, example: unknown): Record<string, unknown> {
  const { schoolDb, ...rest } = example as Record<string, unknown>;
  const choosesSchool = 'school' in operation && operation.school !== undefined;
  return choosesSchool || schoolDb === undefined ? rest : { schoolDb, ...rest };
}

describe.each(doors)('the operations of the %s API', (_door, operations) => {
  const all = Object.values(operations);

  it('stand under their own ids', () => {
    expect(all.map(({ id }) => id)).toEqual(Object.keys(operations));
    for (const id of Object.keys(operations)) expect(id).toMatch(/^[a-z][a-zA-Z]+$/);
  });

  it('have each a method and path of their own, with parameters that are no two routes', () => {
    const routes = all.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`);
    expect(new Set(routes).size).toBe(routes.length);
    for (const { path } of all) expect(path).toMatch(/^(\/[a-z-]+|\/:[a-zA-Z]+)+$/);
  });

  it.each(all)('$id says in one line what it does', ({ summary, description, tag }) => {
    expect(summary).toMatch(/^[A-Z][^\n]{8,120}[^.\s]$/);
    expect(description ?? 'Nothing more.').toMatch(/^[A-Z`][\s\S]*[.!?]$/);
    expect(tag).not.toBe('');
  });

  it.each(all)('$id has examples that its schemas take', (operation) => {
    const { body, data, examples } = operation;
    expect(complaints(data, examples.data)).toEqual([]);
    expect(Object.keys(examples.body ?? {}).length > 0).toBe(body !== undefined);
    for (const [name, example] of Object.entries(examples.body ?? {})) {
      if (body === undefined) throw new Error(`${name} is a body of an operation that takes none`);
      const own = ownPart(operation, example);
      const schema = hasForms(body) ? body.forms[body.choose(own)] : body;
      expect(complaints(schema as TSchema, own)).toEqual([]);
    }
  });

  it.each(all)('$id says what each id in its path is of', ({ path, target = {} }) => {
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => `path.${name}`);
    expect(Object.values(target).filter((place) => place.startsWith('path.'))).toEqual(inPath);
  });

  it.each(all)('$id has no body with GET', ({ method, body }) => {
    if (method === 'GET') expect(body).toBeUndefined();
  });
});

describe('the operations of the external and the internal API', () => {
  it('share no id', () => {
    const shared = Object.keys(internalOperations).filter((id) => id in externalOperations);
    expect(shared).toEqual([]);
  });
});

describe('an operation', () => {
  it('does not compile where it names what is not there', () => {
    const { deleteUser, updateUser } = internalOperations;
    // @ts-expect-error There is no such kind.
    internal({ ...deleteUser, target: { student: 'path.id', pupil: 'path.id' } });
    // @ts-expect-error The path has no such parameter.
    internal({ ...deleteUser, target: { student: 'path.userId' } });
    // @ts-expect-error The body has no such field.
    internal({ ...updateUser, target: { student: 'path.id', class: 'body.class' } });
    // @ts-expect-error There is no such kind.
    internal({ ...deleteUser, affects: ['student', 'points'] });
    // @ts-expect-error There is no such throttle.
    internal({ ...deleteUser, throttled: 'login' });
    // @ts-expect-error The type has no such field.
    internal({ ...deleteUser, effects: ['student'] });
    const { activity, ...unlogged } = deleteUser;
    expect(activity.subject).toBe('student');
    // @ts-expect-error A change by an administrator must state its line in the activity log.
    internal(unlogged);
    // @ts-expect-error There is no such code.
    external({ ...externalOperations.deleteStudent, errors: [40404] });
  });
});

describe('an operation of an administrator', () => {
  const ofAdmins = Object.values(internalOperations as Readonly<Record<string, InternalOperation>>).filter(
    (operation) => operation.access === 'admin',
  );

  it('honours idempotency keys only where it chooses a school, whose keys they are', () => {
    for (const { id, idempotent, school } of ofAdmins) {
      if (idempotent !== undefined) expect([id, school]).toEqual([id, 'required']);
    }
  });

  it('leaves no trace in the activity log only for a reason', () => {
    const unlogged = ofAdmins.filter((operation) => 'activity' in operation && operation.activity === null);
    expect(unlogged.map(({ id }) => id).sort()).toEqual([
      'addScore',
      'addScores',
      // Changes nothing.
      'checkImport',
      'confirm',
      'confirmWithPasskey',
      'endOtherSessions',
      'endSession',
      'giveForAttendance',
      'giveTeamPoints',
      'importStudents',
      'logout',
      'markAttendance',
      'markPicks',
      'previewAnnouncement',
      'previewPromotion',
      'revokeScoreLog',
      'revokeScoreLogs',
      'revokeTeamRecords',
      'startCodeApp',
      'startPasskey',
      'startPasskeyConfirmation',
      'testSignInProvider',
    ]);
  });

  it('is marked in the activity log by what it does to its subject', () => {
    for (const { id, method, ...operation } of ofAdmins) {
      if (!('activity' in operation) || operation.activity === null) continue;
      if (method === 'DELETE') expect([id, operation.activity.verb]).toEqual([id, 'removed']);
      if (method === 'PATCH') expect([id, operation.activity.verb]).toEqual([id, 'changed']);
    }
    const { issueCredential, switchTerm, revokeCredential } = internalOperations;
    const verbs = [issueCredential, switchTerm, revokeCredential].map(({ activity }) => activity.verb);
    expect(verbs).toEqual(['added', 'changed', 'removed']);
  });

  it('names in its answer what its line in the activity log is about, or in its body where it is about a class', () => {
    for (const operation of ofAdmins) {
      if (!('activity' in operation) || operation.activity === null) continue;
      const { id, examples, target, activity } = operation;
      const named = kinds[activity.subject] ?? '';
      if (named === '') continue;
      const ofWholeClass = target?.[activity.subject] === 'body.classId';
      expect([id, named in (examples.data as object)]).toEqual([id, !ofWholeClass]);
    }
  });
});
