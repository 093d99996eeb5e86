import { randomUUID } from 'node:crypto';
import { codeOfStep, fromBase32 } from '../src/features/second-factor/code-app.ts';
import { setCookieOf } from './administrators.ts';
import { Authenticator } from './authenticator.ts';
import type { Caller } from './internal-access-identities.ts';
import { row, who } from './internal-access-rows.ts';
import type { AccessWorld } from './internal-access-world.ts';

/** Returns the calling administrator, or the school's administrator if the caller is no administrator. */
const sessionOf = ({ staff }: AccessWorld, { username }: Caller) =>
  Object.values(staff).find((each) => each.username === username) ?? staff.school;

/** Stores an administrator's passkey that no authenticator has. */
async function storePasskey({ test }: AccessWorld, { username }: Caller): Promise<number> {
  const { rows } = await test.database.pool.query(
    `INSERT INTO passkey (admin_id, credential_id, public_key, counter, rp_id, transports, name, created_at)
     SELECT id, $2, '', 0, 'localhost', '{}', 'Key', now() FROM admin WHERE username = $1 RETURNING id`,
    [username, randomUUID()],
  );
  return rows[0]?.id ?? 1;
}

/** Stores an administrator's code app that no device has. */
async function storeCodeApp({ test }: AccessWorld, column: 'id' | 'username', value: number | string) {
  await test.database.pool.query(
    `INSERT INTO code_app (admin_id, sealed_secret, last_step, created_at)
     SELECT id, '', 0, now() FROM admin WHERE ${column} = $1`,
    [value],
  );
}

const challenge = (world: AccessWorld, caller: Caller, path: string) =>
  sessionOf(world, caller).created<{ challenge: string }>(`${path}/challenge`, {});

async function newPasskey(world: AccessWorld, caller: Caller): Promise<Authenticator> {
  const authenticator = new Authenticator();
  const made = authenticator.make(await challenge(world, caller, '/auth/passkeys'));
  await sessionOf(world, caller).created('/auth/passkeys', made);
  return authenticator;
}

export const factorRows = {
  startPasskeyLogin: row(who.anybody),
  loginWithPasskey: row(who.anybody, null, async (_, { world, caller }) => {
    // The caller signs in with a password first, so the passkey belongs to another administrator.
    const { school, grade } = world.staff;
    const authenticator = await newPasskey(world, caller === school ? grade : school);
    const asked = await world.test.anonymous.internal.post('/auth/login/passkey/challenge');
    const cookie = setCookieOf(asked.headers, 'challenge');
    return {
      body: authenticator.answer(asked.data as { challenge: string }),
      cookie: `${cookie?.name}=${cookie?.value}`,
    };
  }),
  startPasskeyConfirmation: row(who.signedIn),
  confirmWithPasskey: row(who.signedIn, null, async (_, { world, caller }) => {
    const authenticator = await newPasskey(world, caller);
    return { body: authenticator.answer(await challenge(world, caller, '/auth/confirm/passkey')) };
  }),

  getSecondFactor: row(who.signedIn),
  startCodeApp: row(who.signedIn),
  confirmCodeApp: row(who.signedIn, null, async (_, { world, caller }) => {
    type Started = { secret: string; enrolment: string };
    const session = sessionOf(world, caller);
    const { secret, enrolment } = await session.created<Started>('/auth/second-factor/app', {});
    const code = codeOfStep(fromBase32(secret), Math.floor(world.test.clock.now().getTime() / 30_000));
    return { body: { enrolment, code } };
  }),
  removeCodeApp: row(who.signedIn, null, async (_, { world, caller }) => {
    await storeCodeApp(world, 'username', caller.username);
    return {};
  }),
  createRecoveryCodes: row(who.signedIn, null, async (_, { world, caller }) => {
    await storeCodeApp(world, 'username', caller.username);
    return {};
  }),
  startPasskey: row(who.signedIn),
  addPasskey: row(who.signedIn, null, async (_, { world, caller }) => ({
    body: new Authenticator().make(await challenge(world, caller, '/auth/passkeys')),
  })),
  renamePasskey: row(who.signedIn, null, async (_, { world, caller }) => ({
    id: await storePasskey(world, caller),
    body: { name: world.newName() },
  })),
  removePasskey: row(who.signedIn, null, async (_, { world, caller }) => ({
    id: await storePasskey(world, caller),
  })),

  resetSecondFactor: row(who.gradeAdmins, 'newClassAdmin', async (id, { world }) => {
    await storeCodeApp(world, 'id', id);
    return {};
  }),
  getSecondFactorRoles: row(who.superAdmins),
  updateSecondFactorRoles: row(who.superAdmins, null, () => ({ body: { roles: [] } })),
};
