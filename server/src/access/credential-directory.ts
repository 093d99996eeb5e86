import type { Database } from '../database/connect.ts';
import { type Credential, selectCredentials, toCredential } from './credential.ts';
import { hashToken, isWellFormedToken } from './token.ts';

/** Keeps memory bounded when many tokens are in use; past it, reading again is all that happens. */
const cachedMax = 10_000;

/**
 * Finds credentials by their plaintext. Readings are kept in memory, because every call needs one, and dropped
 * as soon as anything that decides about a credential changes. The database says so (access-changes.ts): to the
 * connection that made the change before its commit is answered, to all other processes a moment later. While no
 * notifications can arrive, nothing is kept.
 */
export class CredentialDirectory {
  readonly #db: Database;
  readonly #cached = new Map<string, Credential>();
  #generation = 0;
  #keeping = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Called once notifications arrive, and with false when they no longer do. */
  keepReadings(keeping: boolean): void {
    this.#keeping = keeping;
    this.forgetAll();
  }

  forgetAll(): void {
    this.#generation++;
    this.#cached.clear();
  }

  /** From memory alone. @returns null for one that is not there, known or not */
  remembered(plaintext: string): Credential | null {
    if (!isWellFormedToken(plaintext)) return null;
    return this.#cached.get(hashToken(plaintext).toString('base64')) ?? null;
  }

  /** Asks the database. @returns null when no credential has this plaintext */
  async find(plaintext: string): Promise<Credential | null> {
    if (!isWellFormedToken(plaintext)) return null;
    const hash = hashToken(plaintext);
    const key = hash.toString('base64');
    const generation = this.#generation;
    const row = await selectCredentials(this.#db).where('k.token_hash', '=', hash).executeTakeFirst();
    const credential = row ? toCredential(row) : null;
    // A change between reading and here makes the reading old already: use it for this call, do not keep it.
    if (credential && this.#keeping && generation === this.#generation && this.#cached.size < cachedMax) {
      this.#cached.set(key, credential);
    }
    return credential;
  }
}
