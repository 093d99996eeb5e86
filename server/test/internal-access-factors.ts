import { randomUUID } from 'node:crypto';
import { codeOfStep, fromBase32 } from '../src/features/second-factor/totp.ts';
import { setCookieOf } from './administrators.ts';
import { Authenticator } from './authenticator.ts';
import type { Caller } from './internal-access-identities.ts';
import { get, row, who } from './internal-access-rows.ts';
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

async function newPasskey(world: AccessWorld, caller: Caller): Promise<Authenticator> {
  const session = sessionOf(world, caller);
  const authenticator = new Authenticator();
  const asked = await session.created<{ challenge: string }>('/auth/passkeys/challenge', {});
  await session.created('/auth/passkeys', authenticator.make(asked));
  return authenticator;
}

export const factorRows = {
  startPasskeyLogin: row(who.anybody, null, get('/auth/login/passkey/challenge')),
  loginWithPasskey: row(who.anybody, null, async ({ world, caller }) => {
    // The caller signs in with a password first, so the passkey belongs to another administrator.
    const { school, grade } = world.staff;
    const authenticator = await newPasskey(world, caller === school ? grade : school);
    const asked = await world.test.anonymous.internal.post('/auth/login/passkey/challenge');
    const cookie = setCookieOf(asked.headers, 'challenge');
    return {
      path: '/auth/login/passkey',
      body: authenticator.answer(asked.data as { challenge: string }),
      cookie: `${cookie?.name}=${cookie?.value}`,
    };
  }),
  startPasskeyConfirmation: row(who.signedIn, null, get('/auth/confirm/passkey/challenge')),
  confirmWithPasskey: row(who.signedIn, null, async ({ world, caller }) => {
    const authenticator = await newPasskey(world, caller);
    const path = '/auth/confirm/passkey';
    const asked = await sessionOf(world, caller).created<{ challenge: string }>(`${path}/challenge`, {});
    return { path, body: authenticator.answer(asked) };
  }),

  getSecondFactor: row(who.signedIn, null, get('/auth/second-factor')),
  startCodeApp: row(who.signedIn, null, get('/auth/second-factor/app')),
  confirmCodeApp: row(who.signedIn, null, async ({ world, caller }) => {
    const path = '/auth/second-factor/app';
    type Started = { secret: string; enrolment: string };
    const { secret, enrolment } = await sessionOf(world, caller).created<Started>(path, {});
    const code = codeOfStep(fromBase32(secret), Math.floor(world.test.clock.now().getTime() / 30_000));
    return { path: `${path}/confirm`, body: { enrolment, code } };
  }),
  removeCodeApp: row(who.signedIn, null, async ({ world, caller }) => {
    await storeCodeApp(world, 'username', caller.username);
    return { path: '/auth/second-factor/app' };
  }),
  createRecoveryCodes: row(who.signedIn, null, async ({ world, caller }) => {
    await storeCodeApp(world, 'username', caller.username);
    return { path: '/auth/second-factor/recovery-codes' };
  }),
  startPasskey: row(who.signedIn, null, get('/auth/passkeys/challenge')),
  addPasskey: row(who.signedIn, null, async ({ world, caller }) => {
    const path = '/auth/passkeys';
    const asked = await sessionOf(world, caller).created<{ challenge: string }>(`${path}/challenge`, {});
    return { path, body: new Authenticator().make(asked) };
  }),
  renamePasskey: row(who.signedIn, null, async ({ world, caller }) => ({
    path: `/auth/passkeys/${await storePasskey(world, caller)}`,
    body: { name: world.newName() },
  })),
  removePasskey: row(who.signedIn, null, async ({ world, caller }) => ({
    path: `/auth/passkeys/${await storePasskey(world, caller)}`,
  })),

  resetSecondFactor: row(who.gradeAdmins, 'class administrator', async ({ world, place }) => {
    const id = await world.newClassAdmin(place);
    await storeCodeApp(world, 'id', id);
    return { path: `/admin/manage/${id}/second-factor` };
  }),
  getSecondFactorRoles: row(who.superAdmins, null, get('/second-factor-roles')),
  updateSecondFactorRoles: row(who.superAdmins, null, () => ({
    path: '/second-factor-roles',
    body: { roles: [] },
  })),
};
