import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { type Staff, setCookieOf } from './administrators.ts';
import type { InternalAnswer } from './identities.ts';
import type { TestApp } from './test-app.ts';

export interface PasskeyChallenge {
  readonly challenge: string;
}

interface Where {
  readonly origin?: string;
  readonly rpId?: string;
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const base64url = (data: Uint8Array | string) => Buffer.from(data).toString('base64url');

const present = 0x01;
const verified = 0x04;
const withKey = 0x40;

/** An authenticator in software with one passkey. It also obeys requests that a real authenticator would refuse. */
export class Authenticator {
  readonly #id = randomBytes(16);
  readonly #key: KeyObject;
  readonly #publicKey: Uint8Array;
  /** Zero means that the authenticator does not count its uses. */
  counter = 0;
  asksForPerson = true;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#key = privateKey;
    this.#publicKey = isoCBOR.encode(
      new Map<number, number | Buffer>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
  }

  /** Returns the body that a page sends after making the passkey. */
  make(
    { challenge }: PasskeyChallenge,
    { origin = localOrigin, rpId = 'localhost' }: Where = {},
    statement?: typeof statementOfMaker,
  ) {
    const length = Buffer.from([0, this.#id.length]);
    const data = Buffer.concat([
      this.#data(rpId, withKey),
      Buffer.alloc(16),
      length,
      this.#id,
      this.#publicKey,
    ]);
    const parts = { fmt: statement ? 'packed' : 'none', attStmt: statement ?? new Map(), authData: data };
    const attestation = isoCBOR.encode(new Map(Object.entries(parts)));
    return {
      name: 'Key of the test',
      id: base64url(this.#id),
      clientDataJSON: clientData('webauthn.create', challenge, origin),
      attestationObject: base64url(attestation),
      transports: ['internal'],
    };
  }

  /** Returns the body that a page sends after using the passkey. */
  answer({ challenge }: PasskeyChallenge, { origin = localOrigin, rpId = 'localhost' }: Where = {}) {
    if (this.counter > 0) this.counter++;
    const data = this.#data(rpId, 0);
    const clientDataJSON = clientData('webauthn.get', challenge, origin);
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    return {
      id: base64url(this.#id),
      clientDataJSON,
      authenticatorData: base64url(data),
      signature: base64url(sign('sha256', signed, this.#key)),
    };
  }

  #data(rpId: string, more: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const flags = present | (this.asksForPerson ? verified : 0) | more;
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter]);
  }
}

/** The origin of requests that are injected without a network. */
export const localOrigin = 'http://localhost:80';

/** An attestation with an invalid certificate of the maker. */
export const statementOfMaker = new Map(
  Object.entries({ alg: -7, sig: Buffer.alloc(8), x5c: [Buffer.alloc(32)] }),
);

const clientData = (type: string, challenge: string, origin: string) =>
  base64url(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

/** Adds a passkey to the account of a session. */
export async function addPasskey(staff: Staff, authenticator = new Authenticator()) {
  const asked = await staff.created<PasskeyChallenge>('/auth/passkeys/challenge', {});
  const made = authenticator.make(asked);
  return staff.created<{ id: number; recoveryCodes: string[] }>('/auth/passkeys', made);
}

/** Returns the cookie that an answer sets, as a browser sends it back. */
export function cookieOf({ headers }: InternalAnswer, which: 'session' | 'challenge'): string {
  const cookie = setCookieOf(headers, which);
  return cookie ? `${cookie.name}=${cookie.value}` : '';
}

/** Asks for the challenge of a sign-in. */
export async function askForPasskey({ anonymous }: TestApp) {
  const answer = await anonymous.internal.post('/auth/login/passkey/challenge');
  return { asked: answer.data as PasskeyChallenge, cookie: cookieOf(answer, 'challenge') };
}
