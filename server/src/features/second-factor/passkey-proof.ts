import { hash, randomBytes } from 'node:crypto';
import type { Body, Data, InternalOperations } from '@classledger/contract';
import type { Account } from '../../access/known-devices.ts';
import type { Sealing } from '../../access/sealing.ts';
import {
  adminFields,
  adminOf,
  type Device,
  type OpenedSession,
  type SessionRequest,
  type SignedInAdmin,
} from '../../access/sessions.ts';
import { confirmedUntil } from '../../access/step-up.ts';
import type { AttemptOrigin, ThrottledAttempt } from '../../access/throttles.ts';
import type { Queryable } from '../../database/connect.ts';
import { challengeMs } from '../../database/retention.ts';
import { AppError } from '../../errors/app-error.ts';
import { ownAttempt } from '../administrators/own-sessions.ts';
import { describePasskeys, type FactorServices, type OwnFactorCall, type ServerSite } from './factors.ts';

type Assertion = Body<InternalOperations['confirmWithPasskey']>;
type RequestOptions = Data<InternalOperations['startPasskeyLogin']>;

const signInPurpose = (holder: string) => ({ kind: 'sign-in', holder }) as const;
const confirmationPurpose = (session: string) => ({ kind: 'confirm', holder: session }) as const;

const optionsFor = (challenge: string, site: ServerSite, passkeys: RequestOptions['allowCredentials']) =>
  ({
    challenge,
    rpId: site.host,
    timeout: challengeMs,
    userVerification: 'required',
    allowCredentials: passkeys,
  }) satisfies RequestOptions;

/** Returns options for a sign-in without a username. A cookie binds the challenge to this browser. */
export function startPasskeyLogin(
  sealing: Sealing,
  {
    site,
    at,
    setChallenged,
  }: Pick<PasskeyLoginCall, 'site' | 'at'> & { setChallenged: (value: string) => void },
): RequestOptions {
  const holder = randomBytes(16).toString('base64url');
  setChallenged(holder);
  return optionsFor(newChallenge(sealing, signInPurpose(holder), at), site, []);
}

export async function startPasskeyConfirmation(
  { db, sealing }: FactorServices,
  { admin, session, site, at }: OwnFactorCall,
): Promise<RequestOptions> {
  const passkeys = await describePasskeys(db, admin.id, site.host);
  return optionsFor(newChallenge(sealing, confirmationPurpose(session), at), site, passkeys);
}

interface PasskeyLoginCall
  extends Device,
    Pick<SessionRequest, 'shared' | 'asksConfirmations' | 'replaces'>,
    Pick<AttemptOrigin, 'browser'> {
  readonly site: ServerSite;
  readonly at: Date;
  readonly challenged: string;
  readonly setSession: (opened: OpenedSession) => void;
}

/** Signs in a passkey's owner. @returns an attempt whose failure is the same unauthenticated for every cause */
export const logInWithPasskey = (
  services: FactorServices,
  call: PasskeyLoginCall,
  assertion: Assertion,
): ThrottledAttempt<SignedInAdmin> => ({
  // Counts failures by passkey, because there is no username.
  name: `passkey ${assertion.id}`,
  refusal: () =>
    new AppError('unauthenticated', 'The passkey is not known here, or the sign-in took too long'),
  prepare: async () => ({
    account: (await findOwner(services.db, assertion.id))?.account ?? null,
    check: async () => {
      const { ip, userAgent, browser, challenged, setSession } = call;
      const { db, sessions, events } = services;
      const device = { ip, userAgent };
      const owner = await findOwner(db, assertion.id);
      if (!owner) {
        events.recordUnknownLogin('administrator', device);
        return null;
      }
      const { admin, account, passkey } = owner;
      const purpose = signInPurpose(challenged);
      const proved = account && (await verifyAssertion(services, passkey, call, assertion, purpose));
      const { shared, asksConfirmations, replaces } = call;
      const opening = {
        adminId: admin.id,
        passwordHash: null,
        passkeyId: passkey.id,
        openedWith: 'passkey',
      } as const;
      const opened =
        proved === 'proved'
          ? await sessions.open({ ...opening, shared, asksConfirmations, replaces, device })
          : null;
      if (proved === 'cloned') events.recordAdminEvent(admin, 'passkeyCloned', device);
      events.recordAdminEvent(admin, opened ? 'signedIn' : 'signInFailed', device);
      if (!opened || !account) return null;
      setSession(opened);
      browser.remember(account);
      return { ...admin, mustSetUpFactor: false };
    },
  }),
});

/** Confirms the session with the caller's passkey. @returns an attempt whose failure is permission_denied */
export const confirmWithPasskey = (
  services: FactorServices,
  call: OwnFactorCall,
  assertion: Assertion,
): ThrottledAttempt<Data<InternalOperations['confirmWithPasskey']>> => {
  const { db, sessions, events } = services;
  const { admin, session, at } = call;
  const refusal = () =>
    new AppError('permission_denied', 'The passkey is not yours, or the confirmation took too long');
  return ownAttempt(db, admin, refusal, async () => {
    const owner = await findOwner(db, assertion.id);
    const purpose = confirmationPurpose(session);
    const proved =
      owner?.admin.id === admin.id
        ? await verifyAssertion(services, owner.passkey, call, assertion, purpose)
        : null;
    if (proved === 'cloned') events.recordAdminEvent(admin, 'passkeyCloned', call);
    events.recordAdminEvent(admin, proved === 'proved' ? 'confirmed' : 'confirmationFailed', call);
    if (proved !== 'proved' || !(await sessions.confirm(db, session, 'passkey'))) return null;
    return { confirmedUntil: confirmedUntil(at) };
  });
};

type Owner = NonNullable<Awaited<ReturnType<typeof findOwner>>>;

async function findOwner(db: Queryable, credentialId: string) {
  const row = await db
    .selectFrom('passkey as p')
    .innerJoin('admin', 'admin.id', 'p.admin_id')
    .leftJoin('school', 'school.id', 'admin.school_id')
    .where('p.credential_id', '=', credentialId)
    .select([...adminFields, 'p.id as passkeyId', 'p.public_key as publicKey', 'p.rp_id as rpId'])
    .select('admin.password_hash as passwordHash')
    .executeTakeFirst();
  if (!row) return null;
  const { passkeyId, publicKey, rpId } = row;
  const passkey = { id: passkeyId, credentialId, publicKey, rpId };
  const mayUse = !row.disabled && row.schoolDisabled !== true;
  const account: Account = { kind: 'administrator', id: row.id, passwordHash: row.passwordHash };
  return { admin: adminOf(row), account: mayUse ? account : null, passkey };
}

/** Verifies a signature and uses up the challenge. A counter that has not increased indicates a copied passkey. */
async function verifyAssertion(
  { db, sealing }: FactorServices,
  { id, credentialId, publicKey, rpId }: Owner['passkey'],
  { site, at }: Pick<OwnFactorCall, 'site' | 'at'>,
  { clientDataJSON, authenticatorData, signature }: Assertion,
  purpose: Parameters<typeof isValidChallenge>[1],
): Promise<'proved' | 'cloned' | null> {
  if (rpId !== site.host) return null;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  let challenge = '';
  let counter = 0;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: (sent) => {
        challenge = sent;
        return isValidChallenge(sealing, purpose, sent, at);
      },
      expectedOrigin: site.origin,
      expectedRPID: rpId,
      // -1 disables the library's counter check, which precedes the signature check, so a forger could fake a copy.
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: -1 },
      requireUserVerification: true,
    });
    if (!verified) return null;
    counter = authenticationInfo.newCounter;
  } catch {
    // The library throws for invalid answers, including malformed ones.
    return null;
  }
  if (!(await consumeChallenge(db, challenge, at))) return null;
  const { numUpdatedRows } = await db
    .updateTable('passkey')
    .set({ counter, last_used_at: at })
    .where('id', '=', id)
    .where((is) =>
      is.or([is('counter', '<', counter), is.and([is('counter', '=', 0), is.val(counter === 0)])]),
    )
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return 'proved';
  const kept = await db.selectFrom('passkey').where('id', '=', id).select('id').executeTakeFirst();
  return kept ? 'cloned' : null;
}

interface ChallengePurpose {
  readonly kind: 'make' | 'sign-in' | 'confirm';
  /** A secret of the requesting browser: its session token, or a cookie made for the challenge. */
  readonly holder: string;
}

/** Short, because browsers send the challenge back inside a longer text. */
const holderHash = ({ holder }: ChallengePurpose) => hash('sha256', holder, 'base64url').slice(0, 22);

/** Creates a signed challenge that contains its purpose, so that unanswered challenges need no storage. */
export function newChallenge(sealing: Sealing, purpose: ChallengePurpose, at: Date): string {
  const nonce = randomBytes(12).toString('base64url');
  const text = [purpose.kind, holderHash(purpose), at.getTime() + challengeMs, nonce].join('.');
  return Buffer.from(sealing.sign('passkey challenges', text)).toString('base64url');
}

export function isValidChallenge(
  sealing: Sealing,
  purpose: ChallengePurpose,
  challenge: string,
  at: Date,
): boolean {
  const text = sealing.verify('passkey challenges', Buffer.from(challenge, 'base64url').toString());
  const [what, holder, until] = text?.split('.') ?? [];
  return (
    purpose.holder !== '' &&
    what === purpose.kind &&
    holder === holderHash(purpose) &&
    Number(until) >= at.getTime()
  );
}

/** Marks a challenge as used. @returns false when it was used before */
export async function consumeChallenge(db: Queryable, challenge: string, at: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('spent_challenge')
    .values({ challenge_hash: hash('sha256', challenge, 'buffer'), created_at: at })
    .onConflict((known) => known.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}
