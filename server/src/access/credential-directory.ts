import type { Database } from '../database/connect.ts';
import { type AccessChange, noticeOf } from './access-changes.ts';
import { type Credential, selectCredentials, toCredentials } from './credential.ts';
import { hashToken, isWellFormedToken } from './token.ts';

const keptMax = 10_000;

interface Hearing {
  isTrusted(): boolean;
}

/**
 * Finds credentials by their plaintext. Every call needs one, so they are cached and evicted when anything that they
 * depend on changes (docs/security.md, Access changes). While notifications may be missing, every call queries the
 * database.
 */
export class CredentialDirectory {
  readonly #db: Database;
  readonly #hearing: Hearing;
  readonly #keptMax: number;
  /** Keyed by the hash of the plaintext, least recently used first. */
  readonly #kept = new Map<string, Credential>();
  /** Hashes by the notice that evicts them: deleting a school evicts hundreds. */
  readonly #touchedBy = new Map<string, Set<string>>();
  #generation = 0;

  constructor(db: Database, hearing: Hearing, options: { readonly keptMax?: number } = {}) {
    this.#db = db;
    this.#hearing = hearing;
    this.#keptMax = options.keptMax ?? keptMax;
  }

  /** Evicts the credentials that a change affects. @param change null when anything may have changed */
  forget(change: AccessChange | null): void {
    this.#generation++;
    if (change) {
      for (const hash of this.#touchedBy.get(noticeOf(change)) ?? []) this.#drop(hash);
      return;
    }
    this.#kept.clear();
    this.#touchedBy.clear();
  }

  remembered(plaintext: string): Credential | null {
    return isWellFormedToken(plaintext) ? this.rememberedByHash(hashToken(plaintext)) : null;
  }

  /** Like `findCached`, by the hash that an access token names. */
  rememberedByHash(tokenHash: Buffer): Credential | null {
    if (!this.#hearing.isTrusted()) return null;
    const hash = tokenHash.toString('base64');
    const credential = this.#kept.get(hash);
    if (!credential) return null;
    this.#kept.delete(hash);
    this.#kept.set(hash, credential);
    return credential;
  }

  async find(plaintext: string): Promise<Credential | null> {
    return isWellFormedToken(plaintext) ? this.findByHash(hashToken(plaintext)) : null;
  }

  /** Like `find`, by the hash that an access token names. */
  async findByHash(hash: Buffer): Promise<Credential | null> {
    const mayKeep = this.#hearing.isTrusted();
    const generation = this.#generation;
    const rows = await selectCredentials(this.#db).where('k.token_hash', '=', hash).execute();
    const [credential = null] = await toCredentials(this.#db, rows);
    // A change during the query makes the result outdated: use it for this call, but do not cache it.
    if (credential && mayKeep && this.#hearing.isTrusted() && generation === this.#generation) {
      this.#keep(hash.toString('base64'), credential);
    }
    return credential;
  }

  #keep(hash: string, credential: Credential): void {
    this.#drop(hash);
    this.#kept.set(hash, credential);
    for (const notice of noticesOf(credential)) {
      const touched = this.#touchedBy.get(notice) ?? new Set();
      this.#touchedBy.set(notice, touched.add(hash));
    }
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#keptMax) return;
      this.#drop(oldest);
    }
  }

  #drop(hash: string): void {
    const credential = this.#kept.get(hash);
    if (!credential) return;
    this.#kept.delete(hash);
    for (const notice of noticesOf(credential)) {
      const touched = this.#touchedBy.get(notice);
      touched?.delete(hash);
      if (touched?.size === 0) this.#touchedBy.delete(notice);
    }
  }
}

function noticesOf({ id, issuerId, range }: Credential): string[] {
  return [{ credentialId: id }, { issuerId }, { schoolId: range.schoolId }].map(noticeOf);
}
