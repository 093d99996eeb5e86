import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseProxy } from '../../test/database-proxy.ts';
import { eventually } from '../../test/eventually.ts';
import { AdminClient, type CredentialClient, credentialClient } from '../../test/identities.ts';
import {
  createSampleSchool,
  type SampleSchool,
  startTestApp,
  superAdmin,
  type TestApp,
} from '../../test/test-app.ts';
import { buildApp } from '../app.ts';
import { connectDatabase } from '../database/connect.ts';

describe('a process whose network swallows notifications without a word', () => {
  let test: TestApp;
  let admin: AdminClient;
  let school: SampleSchool;
  let proxy: DatabaseProxy;
  let behind: (credential: CredentialClient) => CredentialClient;
  let adminBehind: AdminClient;

  beforeAll(async () => {
    test = await startTestApp();
    admin = await test.signIn();
    school = await createSampleSchool(admin);
    proxy = await DatabaseProxy.start(test.databaseTarget);
    const databaseTarget = { ...test.databaseTarget, ...proxy.address };
    const database = connectDatabase(databaseTarget);
    const app = await buildApp({
      config: test.config,
      database,
      databaseTarget,
      clock: test.clock.now,
      monotonic: test.clock.monotonic,
    });
    behind = ({ token, id }) => credentialClient(app.http, token, id);
    adminBehind = await AdminClient.signIn(app.http, superAdmin.username, superAdmin.password);
    afterAll(async () => {
      await app.close();
      await database.end();
      await proxy.close();
    });
  });

  it('refuses a revoked credential seconds later, and at once when it can hear again', async () => {
    const revoke = ({ id }: CredentialClient) => admin.patch(`/api-tokens/${id}`, { disabled: true });
    const first = await school.issue({});
    const remote = behind(first);
    expect(await remote.get('/ping')).toMatchObject({ code: 0 });
    const { rows: silenced } = await test.database.pool.query('SELECT clock_timestamp() AS at');
    proxy.silenceListeners();
    const own = behind(await school.issue({}));
    expect(await own.get('/ping')).toMatchObject({ code: 0 });
    await adminBehind.patch(`/api-tokens/${own.id}`, { disabled: true });
    expect((await own.get('/ping')).code, 'after a change of its own').toBe(40103);
    await revoke(first);
    await eventually('it is refused', async () => (await remote.get('/ping')).code === 40103);

    const second = await school.issue({});
    const again = behind(second);
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
