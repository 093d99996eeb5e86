import {
  type ErrorCode,
  type ExternalOperation,
  type ExternalOperationId,
  externalOperations,
  hasForms,
  httpStatusOf,
  permissionNames,
  type ScopeType,
  scopeTypes,
} from '@classledger/contract';
import type { TObject, TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import type { ExternalAnswer } from './identities.ts';
import {
  type Expected,
  type RequestParts,
  separationTable,
  type TargetReference,
} from './separation-table.ts';
import {
  createWorld,
  foreignMarker,
  type Listed,
  listEverything,
  lists,
  type Target,
  type Targets,
} from './separation-world.ts';
import { startTestApp } from './test-app.ts';

const targets: readonly Target[] = ['inside', 'outside', 'foreign', 'missing'];
const operations = Object.entries(externalOperations) as [ExternalOperationId, ExternalOperation][];

const namesOfStudents = ['username', 'externalId', 'cardNumber'];

// Webhook receivers have no address here.
const test = await startTestApp({}, { resolve: async () => [] });
const world = await createWorld(test);
const foreignState = await world.state('B');

function urlOf(
  operation: ExternalOperation,
  { params = {}, query = {} }: RequestParts,
  confirmed = true,
): string {
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => String(params[name] ?? 1));
  const fields = { ...query, ...(operation.destructive && confirmed ? { confirm: 'true' } : {}) };
  const search = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return search.size > 0 ? `${path}?${search}` : path;
}

/** Returns the expected outcome; a scope type that may not call the operation gets 40303. */
function expectedOf(
  operation: ExternalOperation,
  reference: TargetReference,
  scopeType: ScopeType,
  target: Target,
): Expected {
  if (!operation.scopeTypes.includes(scopeType)) return 40303;
  return (reference.except?.[scopeType] ?? reference.expected)[target];
}

function isRefusal(expected: Expected): boolean {
  return typeof expected === 'object' ? expected.entry !== 0 : typeof expected === 'number' && expected !== 0;
}

function expectOutcome(answer: ExternalAnswer, expected: Expected): void {
  const code = typeof expected === 'number' ? expected : 0;
  const status = code === 0 ? 200 : httpStatusOf(code as ErrorCode);
  expect({ status: answer.status, code: answer.code }, answer.message).toEqual({ status, code });
  if (code !== 0) expect(answer.data).toBeNull();
  if (expected === 'empty') expect(answer.data).toMatchObject({ list: [], total: 0 });
  if (expected === 'listed') expect((answer.data as { total: number }).total).toBeGreaterThan(0);
  if (typeof expected === 'object') {
    expect(answer.data).toMatchObject({ totalCount: 1, details: [{ code: expected.entry }] });
  }
}

/** A failed entry repeats input of the caller; all other data must be the caller’s own. */
function expectNothingForeign(answer: ExternalAnswer, request: string): void {
  const shown = JSON.stringify(answer, (_, value) =>
    value !== null && typeof value === 'object' && value.success === false ? undefined : value,
  );
  if (!request.includes(foreignMarker)) expect(JSON.stringify(answer)).not.toContain(foreignMarker);
  expect(shown).not.toContain(foreignMarker);
}

/** Returns the fields that name existing things; names of a student to create or change are new. */
function namesInContract(id: ExternalOperationId, operation: ExternalOperation): Set<string> {
  const newNames = id === 'createStudents' || id === 'updateStudent';
  const ofStudents = id === 'upsertStudents' ? ['username', 'externalId'] : newNames ? [] : namesOfStudents;
  const naming = ['classId', 'gradeId', 'templateId', 'termId', 'userId', 'ids', ...ofStudents];
  const names = new Set([...operation.path.matchAll(/:(\w+)/g)].map(([, name]) => `path ${name}`));
  const take = (at: string, object: TObject | undefined) => {
    for (const [name, schema] of Object.entries(object?.properties ?? {})) {
      if (naming.includes(name)) names.add(`${at} ${name}`);
      const entry = (schema as TSchema & { 'x-entry'?: TObject })['x-entry'];
      if (entry) take(name, entry);
    }
  };
  take('query', operation.query);
  const { body } = operation;
  if (body) for (const form of hasForms(body) ? Object.values(body.forms) : [body]) take('body', form);
  return names;
}

it.each(operations)('the separation table covers every field of %s that names a target', (id, operation) => {
  const covered = new Set(
    separationTable[id].map(({ at }) => at.split(',')[0]).filter((at) => at !== 'nothing'),
  );
  expect([...covered].sort()).toEqual([...namesInContract(id, operation)].sort());
});

describe.each(operations)('Operation %s', (id, operation) => {
  const forReading = operation.method === 'GET';
  const cases = scopeTypes.flatMap((scopeType) =>
    separationTable[id].flatMap((reference) =>
      targets
        .filter((target) => !(scopeType === 'school' && target === 'outside'))
        .filter((target) => reference.at !== 'nothing' || target === 'inside')
        // Rows of another school and missing rows are looked up in the same way for every scope.
        .filter((target) => target !== 'missing' || scopeType === 'school')
        .filter((target) => target !== 'foreign' || scopeType !== 'grade')
        .map((target) => {
          const expected = expectedOf(operation, reference, scopeType, target);
          return { scopeType, reference, target, expected, at: reference.at };
        }),
    ),
  );

  it.each(cases)(
    'answers $expected to a $scopeType credential that names a target $target by $at',
    async ({ scopeType, reference, target, expected }) => {
      const [named, own] = [target, 'inside' as const].map((place) =>
        world.target(scopeType, place, forReading),
      ) as [Targets, Targets];
      const request = await reference.call(named, own);
      const before = forReading ? null : await world.state('A');

      const url = urlOf(operation, request);
      const answer = await world.own[scopeType].call(operation.method, url, request.body);

      expectOutcome(answer, expected);
      expectNothingForeign(answer, url + JSON.stringify(request.body));
      if (!before) return;
      const after = await world.state('A');
      if (isRefusal(expected) || reference.silent) expect(after).toBe(before);
      else expect(after).not.toBe(before);
    },
  );

  it('has changed nothing in the other school', async () => {
    expect(await world.state('B')).toBe(foreignState);
  });
});

/** Ids and fields that no operation accepts; an earlier refusal hides them. */
const bad: RequestParts = { params: { id: -1, logId: -1 }, body: { unknown: 1 } };
const badBody = (operation: ExternalOperation) => (operation.body ? bad.body : undefined);
const having = (test: (operation: ExternalOperation) => unknown) =>
  operations.filter(([, operation]) => test(operation));

const restricted = having(({ scopeTypes: some }) => some.length < scopeTypes.length);
const destructive = having((operation) => operation.destructive);

describe('before confirm=true, ids and body are checked', () => {
  it.each(operations)('%s without a token gets 40101', async (_id, operation) => {
    const url = urlOf(operation, bad, false);
    expectOutcome(await test.anonymous.external.call(operation.method, url, badBody(operation)), 40101);
  });

  it('only ping, the change feed and the own webhooks need no permission', () => {
    const free = having((operation) => operation.permission === null).map(([id]) => id);
    expect(free.filter((id) => !externalOperations[id].path.startsWith('/webhooks'))).toEqual([
      'ping',
      'getChanges',
    ]);
  });

  describe.each(permissionNames)('the permission %s', async (permission) => {
    const others = await world.issue(
      'class',
      permissionNames.filter((name) => name !== permission),
    );
    const alone = await world.issue('school', [permission]);
    const needing = having((operation) => operation.permission === permission);

    it.each(needing)('is needed by %s, also with invalid ids and body', async (_id, operation) => {
      const answer = await others.call(operation.method, urlOf(operation, bad, false), badBody(operation));
      expectOutcome(answer, 40302);
      expect(answer.headers['x-accepted-permissions']).toBe(permission);
    });

    it.each(needing)('suffices for %s', async (id, operation) => {
      const reference = separationTable[id][0] as TargetReference;
      const inside = world.target('school', 'inside', operation.method === 'GET') as Targets;
      const request = await reference.call(inside, inside);
      const answer = await alone.call(operation.method, urlOf(operation, request), request.body);
      expectOutcome(answer, expectedOf(operation, reference, 'school', 'inside'));
      expect(answer.headers['x-accepted-permissions']).toBeUndefined();
    });
  });

  it.each(restricted)('%s answers 40303 to other scope types first', async (_id, operation) => {
    const closed = scopeTypes.filter((type) => !operation.scopeTypes.includes(type));
    for (const scopeType of closed) {
      const url = urlOf(operation, bad, false);
      expectOutcome(await world.own[scopeType].call(operation.method, url, badBody(operation)), 40303);
    }
  });

  it.each(destructive)('%s without confirm=true gets 40004 first', async (_id, operation) => {
    const url = urlOf(operation, bad, false);
    const unconfirmed = ['', '?confirm', '?confirm=false', '?confirm=1', '?confirm=TRUE'];
    for (const confirm of [...unconfirmed, '?confirm=true&confirm=true']) {
      expectOutcome(await world.own.school.call(operation.method, url + confirm), 40004);
    }
    expectOutcome(await world.own.school.call(operation.method, `${url}?confirm=true`), 40002);
  });
});

describe('the lists of a credential', () => {
  it.each(['grade', 'class'] as const)('hold exactly the entries of the %s', async (type) => {
    const { gradeId, classId } = world.scope;
    const school = await listEverything(world.officeA);
    const ofScope = (entry: Listed) =>
      type === 'class' ? entry.classId === classId : entry.gradeId === gradeId;
    const classes = school['/classes'].filter((entry) => ofScope({ ...entry, classId: entry.id }));
    const expected = {
      '/grades': school['/grades'].filter(({ id }) => id === gradeId),
      '/classes': classes,
      '/students': school['/students'].filter(ofScope),
      '/scores': school['/scores'].filter(ofScope),
      '/templates': school['/templates'].filter(
        (template) => template.classId === null || classes.some(({ id }) => id === template.classId),
      ),
      '/terms': school['/terms'].filter((term) => classes.some(({ id }) => id === term.classId)),
    };
    for (const [path, entries] of Object.entries(expected)) expect(entries, path).not.toEqual([]);
    expect(await listEverything(world.own[type])).toEqual(expected);
  });

  it('share no id and no name with the other school', async () => {
    const [own, foreign] = [await listEverything(world.officeA), await listEverything(world.officeB)];
    for (const path of lists) {
      expect(foreign[path]).not.toEqual([]);
      const ids = new Set(foreign[path].map(({ id }) => id));
      expect(own[path].filter(({ id }) => ids.has(id))).toEqual([]);
    }
    const shown = await Promise.all(
      Object.values(world.own).flatMap((credential) => [
        credential.get('/ping'),
        credential.get('/stats/overview'),
      ]),
    );
    expect(JSON.stringify([own, shown])).not.toContain(foreignMarker);
  });
});
