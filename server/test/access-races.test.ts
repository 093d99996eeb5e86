import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { eventually } from './eventually.ts';
import { type CredentialClient, credentialClient } from './identities.ts';
import { createSampleSchool, type SampleSchool, startTestApp, superAdmin } from './test-app.ts';

const test = await startTestApp();
const other = await startTestApp({}, { shareDatabaseWith: test });
let admin = await test.signIn();

class Load {
  readonly codes: number[] = [];
  #stopped = false;
  readonly #callers: Promise<void>[];

  constructor(by: CredentialClient, userId: number) {
    this.#callers = Array.from({ length: 4 }, async (_, i) => {
      for (let n = 0; n < 20_000 && !this.#stopped; n++) {
        const at = this.codes.push(Number.NaN) - 1;
        const answer =
          (n + i) % 3 === 0
            ? await by.post('/scores', { userId, scoreChange: 1 })
            : await by.get('/students?limit=1');
        this.codes[at] = answer.code;
        // A refusal completes without I/O, so this pause lets the other callers run.
        await nextTurn();
      }
    });
  }

  async answered(count: number): Promise<void> {
    await eventually(`${count} calls are answered`, () => this.codes.length >= count + 4);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#callers);
  }
}

type Made = 'at the first process' | 'in the database' | 'by time';
type Change = (world: { school: SampleSchool; token: CredentialClient }) => unknown;

const disableIssuer =
  'UPDATE admin SET disabled = true WHERE id = (SELECT issuer_id FROM api_token WHERE id = $1)';

/** `access-changes.test.ts` proves the same for every change, without load. */
describe('a credential that changes under load', () => {
  it.each<[string, number, Made, Change]>([
    [
      'is revoked',
      40103,
      'at the first process',
      ({ token }) => admin.delete(`/api-tokens/${token.id}`, { 'x-confirm-password': superAdmin.password }),
    ],
    [
      'has its school deleted',
      40301,
      'at the first process',
      ({ school }) => admin.delete(`/schools/${school.id}`),
    ],
    [
      'has its issuer disabled',
      40105,
      'in the database',
      ({ token }) => test.database.pool.query(disableIssuer, [token.id]),
    ],
    ['expires', 40104, 'by time', () => test.clock.advance(24 * 3_600_000 + 1)],
  ])('is rejected as soon as a process knows that it %s', async (what, code, made, change) => {
    admin = await test.signIn();
    const school = await createSampleSchool(admin, `School of one that ${what}`);
    const token = await school.issue({ expiresInDays: 1 });
    const there = credentialClient(other.app.http, token.token, token.id);
    const userId = school.grades[0].classes[0].students[0]?.id as number;
    const [atFirst, atOther] = [new Load(token, userId), new Load(there, userId)];
    await atFirst.answered(16);
    await atOther.answered(16);

    const answer = await change({ school, token });
    const [sentBefore, sentBeforeThere] = [atFirst.codes.length, atOther.codes.length];
    if (made === 'at the first process') expect(answer).toMatchObject({ status: 200 });
    const now = await token.get('/students');
    if (made !== 'in the database') expect(now.code).toBe(code);
    if (made === 'by time') expect((await there.get('/students')).code).toBe(code);
    await eventually('both processes refuse', async () => {
      const codes = [await token.get('/students'), await there.get('/students')].map((one) => one.code);
      return codes.every((one) => one === code);
    });
    const [refusedFrom, refusedFromThere] = [atFirst.codes.length, atOther.codes.length];
    await atFirst.answered(refusedFrom + 8);
    await atOther.answered(refusedFromThere + 8);
    await Promise.all([atFirst.stop(), atOther.stop()]);

    for (const load of [atFirst, atOther]) {
      // A call that passed the check may find its student deleted with the school.
      const meanwhile = what === 'has its school deleted' ? [40401] : [];
      for (const one of new Set(load.codes)) expect([0, code, ...meanwhile]).toContain(one);
    }
    const known = made === 'in the database' ? refusedFrom : sentBefore;
    expect(new Set(atFirst.codes.slice(known))).toEqual(new Set([code]));
    const knownThere = made === 'by time' ? sentBeforeThere : refusedFromThere;
    expect(new Set(atOther.codes.slice(knownThere))).toEqual(new Set([code]));
    await test.database.pool.query('UPDATE admin SET disabled = false');
  });
});

describe('a process whose notification listener was cut off', () => {
  it('learns which credentials were disabled or enabled meanwhile, and receives notifications again', async () => {
    admin = await test.signIn();
    const school = await createSampleSchool(admin, 'Cut off');
    const token = await school.issue({});
    const there = credentialClient(other.app.http, token.token, token.id);
    expect((await there.get('/students')).code).toBe(0);
    for (const disabled of [true, false]) {
      const listeners = "datname = current_database() AND application_name = 'classledger listener'";
      await test.database.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${listeners}`,
      );
      await admin.patch(`/api-tokens/${token.id}`, { disabled });
      const expected = disabled ? 40103 : 0;
      expect((await token.get('/students')).code).toBe(expected);
      await eventually('the change is known at the other process', async () => {
        return (await there.get('/students')).code === expected;
      });
      await eventually('both processes listen again', async () => {
        const { rows } = await test.database.pool.query(
          `SELECT count(*)::int AS n FROM pg_stat_activity WHERE ${listeners}`,
        );
        return rows[0].n === 2;
      });
      expect((await there.get('/students')).code).toBe(expected);
    }
  });

  it('serves reads and writes again after the database has ended all its sessions', async () => {
    const school = await createSampleSchool(admin, 'Ended sessions');
    const token = await school.issue({});
    const userId = school.grades[0].classes[0].students[0]?.id as number;
    await token.post('/scores', { userId, scoreChange: 1 });
    await test.database.pool.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await eventually('reads and writes are served again', async () => {
      const answers = [await token.get('/students'), await token.post('/scores', { userId, scoreChange: 1 })];
      return answers.every((answer) => answer.code === 0);
    });
  });
});
