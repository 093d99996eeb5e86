import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { deriveBodyExamples, deriveExample } from './derive-example.ts';
import { externalOperations } from './external/index.ts';
import { internalOperations } from './internal/index.ts';
import {
  type ExternalOperation,
  external,
  hasForms,
  type InternalOperation,
  internal,
  resourceKinds,
} from './operation.ts';

type Operation = ExternalOperation | InternalOperation;

const apis: readonly (readonly [string, Readonly<Record<string, Operation>>])[] = [
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

/** External operations have their own examples; those of internal operations are derived. */
function examplesOf(operation: Operation): { readonly body: object; readonly data: unknown } {
  if ('examples' in operation) return { body: operation.examples.body ?? {}, data: operation.examples.data };
  const { body, data } = operation;
  return { body: body === undefined ? {} : deriveBodyExamples(body), data: deriveExample(data) };
}

describe.each(apis)('Operations of the %s API', (_api, operations) => {
  const all = Object.values(operations);

  it('each operation’s id equals its property name in the table of operations', () => {
    expect(all.map(({ id }) => id)).toEqual(Object.keys(operations));
    for (const id of Object.keys(operations)) expect(id).toMatch(/^[a-z][a-zA-Z]+$/);
  });

  it('no two operations have the same method and path, and paths are lower-case', () => {
    const routes = all.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`);
    expect(new Set(routes).size).toBe(routes.length);
    for (const { path } of all) expect(path).toMatch(/^(\/[a-z-]+|\/:[a-zA-Z]+)+$/);
  });

  it.each(all)(
    '$id has a one-line summary, valid examples and a kind for each id in its path',
    (operation) => {
      const { summary, description, tag, method, path, body, data, target = {} } = operation;
      expect(summary).toMatch(/^[A-Z][^\n]{8,120}[^.\s]$/);
      expect(description ?? 'Nothing more.').toMatch(/^[A-Z`][\s\S]*[.!?]$/);
      expect(tag).not.toBe('');
      const examples = examplesOf(operation);
      expect(complaints(data, examples.data)).toEqual([]);
      expect(Object.keys(examples.body).length > 0).toBe(body !== undefined);
      for (const [name, example] of Object.entries(examples.body)) {
        if (body === undefined) throw new Error(`${name} is a body of an operation that takes none`);
        const schema = hasForms(body) ? body.forms[body.choose(example)] : body;
        expect(complaints(schema as TSchema, example)).toEqual([]);
      }
      const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => `path.${name}`);
      expect(Object.values(target).filter((place) => place.startsWith('path.'))).toEqual(inPath);
      if (method === 'GET') expect(body).toBeUndefined();
    },
  );
});

it('the external and the internal API share no operation id', () => {
  expect(Object.keys(internalOperations).filter((id) => id in externalOperations)).toEqual([]);
});

it('the types of operations reject unknown kinds, parameters, fields, throttles and codes, and a change without a log entry', () => {
  const declared = <O extends Operation>({ id: _, method: __, path: ___, tag: ____, ...rest }: O) => rest;
  const deleteUser = { ...declared(internalOperations.deleteUser), route: 'DELETE /users/:id' } as const;
  const updateUser = { ...declared(internalOperations.updateUser), route: 'PATCH /users/:id' } as const;
  const route = 'DELETE /students/:id';
  const tag = 'Students';
  const deleteStudent = { ...declared(externalOperations.deleteStudent), route } as const;
  const { deleteUser: removal, updateUser: change } = internal(tag, { deleteUser, updateUser });
  expect([removal, change]).toEqual([internalOperations.deleteUser, internalOperations.updateUser]);
  expect(external(tag, { deleteStudent })).toEqual({ deleteStudent: externalOperations.deleteStudent });
  // @ts-expect-error There is no such kind.
  internal(tag, { deleteUser: { ...deleteUser, target: { student: 'path.id', pupil: 'path.id' } } });
  // @ts-expect-error The path has no such parameter.
  internal(tag, { deleteUser: { ...deleteUser, target: { student: 'path.userId' } } });
  // @ts-expect-error The body has no such field.
  internal(tag, { updateUser: { ...updateUser, target: { student: 'path.id', class: 'body.class' } } });
  // @ts-expect-error There is no such kind.
  internal(tag, { deleteUser: { ...deleteUser, affects: ['student', 'points'] } });
  // @ts-expect-error There is no such throttle.
  internal(tag, { deleteUser: { ...deleteUser, throttled: 'login' } });
  // @ts-expect-error The type has no such field.
  internal(tag, { deleteUser: { ...deleteUser, effects: ['student'] } });
  const { activity, ...unlogged } = deleteUser;
  expect(activity.subject).toBe('student');
  // @ts-expect-error A change by an administrator must state its line in the activity log.
  internal(tag, { deleteUser: unlogged });
  // @ts-expect-error There is no such code.
  external(tag, { deleteStudent: { ...deleteStudent, errors: [40404] } });
});

const ofAdmins = Object.values(internalOperations as Readonly<Record<string, InternalOperation>>).filter(
  (operation) => operation.access === 'admin',
);

const logged = ofAdmins.flatMap((operation) =>
  'activity' in operation && operation.activity !== null
    ? [{ ...operation, activity: operation.activity }]
    : [],
);

it('operations of administrators accept an idempotency key only if they require a school', () => {
  for (const { id, idempotent, school } of ofAdmins) {
    if (idempotent !== undefined) expect([id, school]).toEqual([id, 'required']);
  }
});

it('only the listed operations of administrators write no activity log', () => {
  const unlogged = ofAdmins.filter((operation) => 'activity' in operation && operation.activity === null);
  // `checkImport` and the previews change nothing.
  const expected = `
    addScore addScores checkImport confirm confirmWithPasskey endOtherSessions endSession giveForAttendance
    giveTeamPoints logout markAttendance markPicks previewAnnouncement previewPromotion revokeScoreLog
    revokeScoreLogs revokeTeamRecords startCodeApp startPasskey startPasskeyConfirmation testSignInProvider`;
  expect(unlogged.map(({ id }) => id).sort()).toEqual(expected.trim().split(/\s+/));
});

it('the activity log calls a DELETE removed, a PATCH changed, and a creation added', () => {
  for (const { id, method, activity } of logged) {
    if (method === 'DELETE') expect([id, activity.verb]).toEqual([id, 'removed']);
    if (method === 'PATCH') expect([id, activity.verb]).toEqual([id, 'changed']);
  }
  const { issueCredential, switchTerm, revokeCredential } = internalOperations;
  const verbs = [issueCredential, switchTerm, revokeCredential].map(({ activity }) => activity.verb);
  expect(verbs).toEqual(['added', 'changed', 'removed']);
});

it('logged operations return the name of the changed record, unless their body names its class', () => {
  for (const { id, data, target, activity } of logged) {
    const named = resourceKinds[activity.subject] ?? '';
    if (named === '') continue;
    const ofWholeClass = target?.[activity.subject] === 'body.classId';
    expect([id, named in (deriveExample(data) as object)]).toEqual([id, !ofWholeClass]);
  }
});
