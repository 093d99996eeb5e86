import { describe, expect, it } from 'vitest';
import { DatabaseProxy } from '../../test/database-proxy.ts';
import { eventually } from '../../test/eventually.ts';
import type { CredentialClient } from '../../test/identities.ts';
import { openSchool, startTestApp } from '../../test/test-app.ts';

const { test, admin, school } = await openSchool();
const proxy = await DatabaseProxy.start(test.databaseTarget);
const behind = await startTestApp({}, { shareDatabaseWith: test, behind: proxy });
const adminBehind = await behind.signIn();

describe('a process whose network swallows notifications without a word', () => {
  it('refuses a revoked credential seconds later, and at once when it can hear again', async () => {
    const revoke = ({ id }: CredentialClient) => admin.patch(`/api-tokens/${id}`, { disabled: true });
    const first = await school.issue({});
    const remote = behind.with(first);
    expect(await remote.get('/ping')).toMatchObject({ code: 0 });
    const { rows: silenced } = await test.database.pool.query('SELECT clock_timestamp() AS at');
    proxy.silenceListeners();
    const own = behind.with(await school.issue({}));
    expect(await own.get('/ping')).toMatchObject({ code: 0 });
    await adminBehind.patch(`/api-tokens/${own.id}`, { disabled: true });
    expect((await own.get('/ping')).code, 'after a change of its own').toBe(40103);
    await revoke(first);
    await eventually('it is refused', async () => (await remote.get('/ping')).code === 40103);

    const second = await school.issue({});
    const again = behind.with(second);
    await eventually('notifications arrive again', async () => {
      const { rows } = await test.database.pool.query(
        `SELECT count(*)::int AS n FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'classledger listener'
           AND backend_start > $1 AND query ~ '^(LISTEN|SELECT 1)' AND state = 'idle'`,
        [silenced[0].at],
      );
      return rows[0].n === 1;
    });
    expect(await again.get('/ping')).toMatchObject({ code: 0 });
    await revoke(second);
    await eventually('it is refused', async () => (await again.get('/ping')).code === 40103);
  });
});
