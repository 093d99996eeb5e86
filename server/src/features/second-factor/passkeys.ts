import type { Body, Data, InternalOperations, Passkey } from '@classledger/contract';
import type { Sealing } from '../../access/sealing.ts';
import type { Admin } from '../../access/sessions.ts';
import type { ThrottledAttempt } from '../../access/throttles.ts';
import type { Database } from '../../database/connect.ts';
import { challengeMs } from '../../database/retention.ts';
import { violatedUnique } from '../../database/transaction.ts';
import { conflict, invalidValue, notFound } from '../../errors/app-error.ts';
import { ownAttempt } from '../administrators/own-sessions.ts';
import {
  changeFactors,
  createFirstRecoveryCodes,
  describePasskeys,
  type FactorServices,
  finishFactorRemoval,
  listPasskeys,
  type OwnFactorCall,
  passkeyColumns,
} from './factors.ts';
import { consumeChallenge, isValidChallenge, newChallenge } from './passkey-proof.ts';

/** EdDSA, ES256 and RS256, which authenticators support. */
const algorithms = [-8, -7, -257];
const passkeysMax = 20;

const creationPurpose = (session: string) => ({ kind: 'make', holder: session }) as const;

/** Returns the browser's options for a passkey that works without a username and verifies the person. */
export async function startPasskey(
  { db, sealing }: FactorServices,
  { admin, session, site, at }: OwnFactorCall,
): Promise<Data<InternalOperations['startPasskey']>> {
  const { id, username } = admin;
  return {
    challenge: newChallenge(sealing, creationPurpose(session), at),
    rp: { id: site.host, name: 'Classledger' },
    // The handle is per installation, because an authenticator keeps only one passkey per host and handle.
    user: {
      id: Buffer.from(sealing.sign('passkey handles', String(id))).toString('base64url'),
      name: username,
      displayName: username,
    },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeMs,
    attestation: 'none',
    excludeCredentials: await describePasskeys(db, id, site.host),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  };
}

/** @returns an attempt whose failure is invalid_value; it throws conflict (known already, or too many) */
export const addPasskey = (
  { db, sealing, events }: FactorServices,
  call: OwnFactorCall,
  passkey: Body<InternalOperations['addPasskey']>,
): ThrottledAttempt<Data<InternalOperations['addPasskey']>> => {
  const { admin, at, site } = call;
  const refusal = () => invalidValue('The passkey cannot be used here; start again');
  return ownAttempt(db, admin, refusal, async () => {
    const verified = await verifyNewPasskey(sealing, call, passkey);
    if (!verified || !(await consumeChallenge(db, verified.challenge, at))) {
      events.recordAdminEvent(admin, 'confirmationFailed', call);
      return null;
    }
    const { credential } = verified;
    return changeFactors(db, admin.id, async (tx) => {
      const { length } = await listPasskeys(tx, admin.id);
      if (length >= passkeysMax) throw conflict(`You have ${passkeysMax} passkeys; remove one first`);
      const added = await tx
        .insertInto('passkey')
        .values({
          admin_id: admin.id,
          credential_id: credential.id,
          public_key: Buffer.from(credential.publicKey),
          counter: credential.counter,
          rp_id: site.host,
          transports: [...passkey.transports],
          name: passkey.name,
          created_at: at,
        })
        .returning(passkeyColumns)
        .executeTakeFirstOrThrow();
      return { ...added, recoveryCodes: await createFirstRecoveryCodes(tx, admin.id) };
    }).catch((error: unknown) => {
      if (violatedUnique(error) === null) throw error;
      throw conflict('This passkey is known already');
    });
  });
};

async function verifyNewPasskey(
  sealing: Sealing,
  { session, site, at }: OwnFactorCall,
  { id, clientDataJSON, attestationObject, transports }: Body<InternalOperations['addPasskey']>,
) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  let challenge = '';
  try {
    // Rejects certificates of the maker, because the library would call the URL that a certificate names.
    const statement = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
    const isPlain = ['none', 'packed'].includes(statement.get('fmt')) && !statement.get('attStmt').get('x5c');
    if (!isPlain) return null;
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, attestationObject, transports: [...transports] },
        clientExtensionResults: {},
      },
      expectedChallenge: (sent) => {
        challenge = sent;
        return isValidChallenge(sealing, creationPurpose(session), sent, at);
      },
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    return registrationInfo ? { credential: registrationInfo.credential, challenge } : null;
  } catch {
    // The library throws for invalid answers, including malformed ones.
    return null;
  }
}

/** @throws AppError not_found */
export const renamePasskey = (db: Database, admin: Admin, id: number, name: string): Promise<Passkey> =>
  db
    .updateTable('passkey')
    .set({ name })
    .where('admin_id', '=', admin.id)
    .where('id', '=', id)
    .returning(passkeyColumns)
    .executeTakeFirstOrThrow(() => notFound('The passkey'));

/** @throws AppError not_found; conflict (the role needs a factor) */
export function removePasskey(db: Database, { id: adminId }: Admin, id: number): Promise<null> {
  return changeFactors(db, adminId, async (tx, admin) => {
    const { numDeletedRows } = await tx
      .deleteFrom('passkey')
      .where('admin_id', '=', adminId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound('The passkey');
    await finishFactorRemoval(tx, adminId, admin);
    return null;
  });
}
