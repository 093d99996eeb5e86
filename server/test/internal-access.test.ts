import {
  type InternalOperation,
  type InternalOperationId,
  internalOperations,
  mayDo,
  roles,
} from '@classledger/contract';
import { describe, expect, it } from 'vitest';
import { credentialClient, type InternalAnswer } from './identities.ts';
import { administrators, type Identity, identities, isAdmin } from './internal-access-identities.ts';
import type { Row } from './internal-access-rows.ts';
import { accessTable } from './internal-access-table.ts';
import { AccessWorld } from './internal-access-world.ts';
import { expectPrivate } from './private-answers.ts';

const world = await AccessWorld.open();

const inside = ['super', 'school', 'grade', 'class'] as const;
const declared: Readonly<Record<string, InternalOperation>> = internalOperations;
const schoolOf = ({ operation }: Row) => {
  const found = declared[operation] as InternalOperation;
  return found.access === 'admin' ? found.school : undefined;
};
const mayCall = (identity: Identity, { operation }: Row) => {
  const found = declared[operation] as InternalOperation;
  return found.access === 'admin' && isAdmin(identity) && mayDo(administrators[identity], found.duty);
};
/** Returns the statuses to try. Of a write that several roles may do, only the widest and the narrowest try it. */
function tried({ operation, expected }: Row): Partial<Record<Identity, number>> {
  if (declared[operation]?.method === 'GET') return expected;
  const admitted = identities.filter((each) => expected[each] === 200);
  const between = new Set(admitted.slice(1, -1));
  return Object.fromEntries(
    identities.filter((each) => !between.has(each)).map((each) => [each, expected[each]]),
  );
}
const titled = (rows: readonly Row[]) =>
  rows.map((row) => [row.note === null ? row.operation : `${row.operation} (${row.note})`, row] as const);

/** Returns the status of each identity, with the message if unexpected; `given` collects answers with 200. */
async function answers(
  row: Row,
  expected: Partial<Record<Identity, number>>,
  options: Parameters<AccessWorld['call']>[2] = {},
  given: [Identity, InternalAnswer][] = [],
) {
  const found: Partial<Record<Identity, unknown>> = {};
  for (const identity of Object.keys(expected) as Identity[]) {
    const answer = await world.call(identity, row, options);
    const { status, success, data, message } = answer;
    if (status === 200) given.push([identity, answer]);
    expect(success).toBe(status === 200);
    if (status !== 200) expect(data).toBeNull();
    found[identity] = status === expected[identity] ? status : `${status} ${message}`;
  }
  return found;
}

describe('the access table of the internal API', () => {
  it('contains an administrator of every role', () => {
    expect([...new Set(Object.values(administrators))]).toEqual(roles);
  });

  it('lists every operation of the contract', () => {
    const held = new Set(accessTable.map(({ operation }) => operation));
    expect([...held].sort()).toEqual(Object.keys(internalOperations).sort());
  });

  it('agrees with the role table on which roles may call an operation at all', () => {
    for (const row of accessTable.filter(({ operation }) => declared[operation]?.access === 'admin')) {
      for (const identity of identities.filter((each) => isAdmin(each) && !mayCall(each, row))) {
        expect([row.operation, identity, row.expected[identity]]).toEqual([row.operation, identity, 403]);
      }
    }
    for (const [id, operation] of Object.entries(declared)) {
      if (operation.access !== 'admin') continue;
      for (const identity of inside) {
        if (!mayDo(administrators[identity], operation.duty)) continue;
        const ofDuty = accessTable.filter((row) => {
          const other = declared[row.operation];
          return other?.access === 'admin' && other.duty === operation.duty;
        });
        expect([id, identity, ofDuty.some((row) => row.expected[identity] === 200)]).toEqual([
          id,
          identity,
          true,
        ]);
      }
    }
  });
});

describe('each caller', () => {
  it.each(titled(accessTable))(
    'gets the status in the access table, and no secret or foreign data, from %s',
    async (_title, row) => {
      const given: [Identity, InternalAnswer][] = [];
      expect(await answers(row, tried(row), {}, given)).toEqual(tried(row));
      await expectPrivate(world, row, given);
    },
  );
});

describe('a call of staff without schoolDb', () => {
  /** A super administrator must name a school to place a new administrator. */
  const needsSchool: readonly InternalOperationId[] = ['createAdministrator'];
  const rows = accessTable.filter((row) => row.note === null && schoolOf(row) === 'optional');

  it.each(titled(rows))('acts in the staff’s school and finds no foreign data: %s', async (_title, row) => {
    const ofForeign = row.names === null ? 200 : 404;
    const expected = {
      super: needsSchool.includes(row.operation) ? 400 : row.expected.super,
      class: row.expected.class,
      foreign: mayCall('foreign', row) ? ofForeign : 403,
    };
    expect(await answers(row, expected, { schoolDb: null })).toEqual(expected);
  });

  it.each(titled(accessTable.filter((row) => row.note === null && schoolOf(row) === 'required')))(
    'answers 400 where schoolDb is required: %s',
    async (_title, row) => {
      expect(await answers(row, { super: 400 }, { schoolDb: null })).toEqual({ super: 400 });
    },
  );
});

describe('a call that names an unknown school', () => {
  it.each(titled(accessTable.filter((row) => row.note === null && schoolOf(row) !== undefined)))(
    'gets 404: %s',
    async (_title, row) => {
      const unknown = { schoolDb: 'school_999999999' };
      expect(await answers(row, { super: 404 }, unknown)).toEqual({ super: 404 });
    },
  );

  it('gets 403 if the role may never call the operation', async () => {
    const { class: teacher } = world.staff;
    expect(await teacher.get('/admin/promotions?schoolDb=school_999999999')).toMatchObject({ status: 403 });
    expect(await teacher.get('/admin/promotions')).toMatchObject({ status: 403 });
  });
});

describe('data of another school, requested under the own schoolDb', () => {
  it.each(titled(accessTable.filter(({ names }) => names !== null)))(
    'is not found, like an id that exists in no school: %s',
    async (_title, row) => {
      const narrowest = inside.findLast((each) => row.expected[each] === 200) ?? 'super';
      const expected = { super: 404, [narrowest]: 404 };
      expect(await answers(row, expected, { place: world.foreign })).toEqual(expected);

      const { url, body, ...rest } = await world.request(narrowest, row, { place: world.foreign });
      const nowhere = {
        ...rest,
        url: url.replace(/(?<=\/|Id=|[?&]id=|term=)\d+/g, '999999999'),
        body: body && JSON.stringify(body).replace(/(?<="(\w*Id|ids)":\[?)\d+/g, '999999999'),
      };
      expect(await world.send(nowhere)).toMatchObject({ status: 404 });
    },
  );
});

describe('the internal and the external API', () => {
  it('accept each credential, session and student token only at its own API and in its own header', async () => {
    const { test, credential, staff, student } = world;
    const own = credentialClient(test.app.http, credential.token, credential.id);
    expect(await own.get('/ping')).toMatchObject({ status: 200, code: 0 });
    expect(await staff.super.get('/auth/me')).toMatchObject({ status: 200 });
    const { internal } = test.anonymous;
    const session = staff.super.cookie.split('=')[1] ?? '';
    expect(await internal.get('/auth/me', { authorization: `Bearer ${session}` })).toMatchObject({
      status: 401,
    });
    expect(
      await internal.get('/auth/student/me', { authorization: `Bearer ${student.token}` }),
    ).toMatchObject({ status: 200 });
    const cookie = `classledger_session=${student.token}`;
    expect(await internal.get('/auth/student/me', { cookie })).toMatchObject({ status: 401 });
    expect(await internal.get('/auth/me', { cookie })).toMatchObject({ status: 401 });
    const { external } = test.anonymous;
    expect(await external.get('/ping', { cookie: staff.super.cookie })).toMatchObject({ code: 40101 });
    for (const value of [session, student.token]) {
      expect(await external.get('/ping', { authorization: `Bearer ${value}` })).toMatchObject({
        code: 40102,
      });
      expect(await external.get('/ping', { 'x-api-token': value })).toMatchObject({ code: 40102 });
    }
  });

  it('answer in two different JSON envelopes', async () => {
    const { http } = world.test.app;
    const internal = (await http.inject({ url: '/api/schools' })).json();
    const external = (await http.inject({ url: '/api/v1/students' })).json();
    expect(Object.keys(internal).sort()).toEqual(['data', 'message', 'requestId', 'success']);
    expect(Object.keys(external).sort()).toEqual(['code', 'data', 'message', 'requestId']);
  });
});
