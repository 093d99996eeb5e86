import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export interface PasskeyChallenge {
  readonly challenge: string;
}

interface Where {
  readonly origin?: string;
  readonly rpId?: string;
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const base64url = (data: Buffer | string) => Buffer.from(data).toString('base64url');

const cbor = {
  head: (major: number, length: number) =>
    length < 24
      ? Buffer.from([(major << 5) | length])
      : length < 256
        ? Buffer.from([(major << 5) | 24, length])
        : Buffer.from([(major << 5) | 25, length >> 8, length & 255]),
  integer: (value: number) => (value < 0 ? cbor.head(1, -1 - value) : cbor.head(0, value)),
  bytes: (value: Buffer) => Buffer.concat([cbor.head(2, value.length), value]),
  text: (value: string) => Buffer.concat([cbor.head(3, value.length), Buffer.from(value)]),
  map: (...entries: [Buffer, Buffer][]) => Buffer.concat([cbor.head(5, entries.length), ...entries.flat()]),
};

const present = 0x01;
const verified = 0x04;
const withKey = 0x40;

/** An authenticator in software with one passkey. It also obeys requests that a real authenticator would refuse. */
export class Authenticator {
  readonly #id = randomBytes(16);
  readonly #key: KeyObject;
  readonly #publicKey: Buffer;
  /** Zero means that the authenticator does not count its uses. */
  counter = 0;
  asksForPerson = true;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#key = privateKey;
    this.#publicKey = cbor.map(
      [cbor.integer(1), cbor.integer(2)],
      [cbor.integer(3), cbor.integer(-7)],
      [cbor.integer(-1), cbor.integer(1)],
      [cbor.integer(-2), cbor.bytes(Buffer.from(x, 'base64url'))],
      [cbor.integer(-3), cbor.bytes(Buffer.from(y, 'base64url'))],
    );
  }

  /** Returns the body that a page sends after making the passkey. */
  make(
    { challenge }: PasskeyChallenge,
    { origin = localOrigin, rpId = 'localhost' }: Where = {},
    statement?: Buffer,
  ) {
    const length = Buffer.from([0, this.#id.length]);
    const data = Buffer.concat([
      this.#data(rpId, withKey),
      Buffer.alloc(16),
      length,
      this.#id,
      this.#publicKey,
    ]);
    const attestation = cbor.map(
      [cbor.text('fmt'), cbor.text(statement ? 'packed' : 'none')],
      [cbor.text('attStmt'), statement ?? cbor.map()],
      [cbor.text('authData'), cbor.bytes(data)],
    );
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
export const statementOfMaker = cbor.map(
  [cbor.text('alg'), cbor.integer(-7)],
  [cbor.text('sig'), cbor.bytes(Buffer.alloc(8))],
  [cbor.text('x5c'), Buffer.concat([cbor.head(4, 1), cbor.bytes(Buffer.alloc(32))])],
);

const clientData = (type: string, challenge: string, origin: string) =>
  base64url(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
