import type { Database } from '../database/connect.ts';
import { type AccessChange, noticeOf } from './access-changes.ts';
import { type Credential, selectCredentials, toCredentials } from './credential.ts';
import { hashToken, isWellFormedToken } from './token.ts';

/** Keeps memory bounded when many credentials are in use; past it, those that were used longest ago are read again. */
const keptMax = 10_000;

/** Whether memory may be asked; see `AccessChangeListener`. */
interface Hearing {
  isTrusted(): boolean;
}

/**
 * Finds credentials by their plaintext. Readings are kept in memory, because every call needs one, and dropped
 * as soon as anything that decides about them changes (docs/security.md, Access changes). While it is not certain that
 * this process hears of changes, every call asks the database.
 */
export class CredentialDirectory {
  readonly #db: Database;
  readonly #hearing: Hearing;
  readonly #keptMax: number;
  /** By the hash of the plaintext, those used longest ago first. */
  readonly #kept = new Map<string, Credential>();
  /** The same hashes by each notice that their credentials are dropped for: a deleted school brings hundreds. */
  readonly #touchedBy = new Map<string, Set<string>>();
  #generation = 0;

  constructor(db: Database, hearing: Hearing, options: { readonly keptMax?: number } = {}) {
    this.#db = db;
    this.#hearing = hearing;
    this.#keptMax = options.keptMax ?? keptMax;
  }

  /** @param change null where anything may have changed */
  forget(change: AccessChange | null): void {
    this.#generation++;
    if (change) {
      for (const hash of this.#touchedBy.get(noticeOf(change)) ?? []) this.#drop(hash);
      return;
    }
    this.#kept.clear();
    this.#touchedBy.clear();
  }

  /** From memory alone. @returns null for one that is not there, known or not */
  remembered(plaintext: string): Credential | null {
    return isWellFormedToken(plaintext) ? this.rememberedByHash(hashToken(plaintext)) : null;
  }

  /** The same for what a token of ours names instead. */
  rememberedByHash(tokenHash: Buffer): Credential | null {
    if (!this.#hearing.isTrusted()) return null;
    const hash = tokenHash.toString('base64');
    const credential = this.#kept.get(hash);
    if (!credential) return null;
    this.#kept.delete(hash);
    this.#kept.set(hash, credential);
    return credential;
  }

  /** Asks the database. @returns null when no credential has this plaintext */
  async find(plaintext: string): Promise<Credential | null> {
    return isWellFormedToken(plaintext) ? this.findByHash(hashToken(plaintext)) : null;
  }

  /** The same for what a token of ours names instead. */
  async findByHash(hash: Buffer): Promise<Credential | null> {
    const mayKeep = this.#hearing.isTrusted();
    const generation = this.#generation;
    const rows = await selectCredentials(this.#db).where('k.token_hash', '=', hash).execute();
    const [credential = null] = await toCredentials(this.#db, rows);
    // A change between reading and here makes the reading old already: use it for this call, do not keep it.
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

/** Of the changes that may decide about a credential. */
function noticesOf({ id, issuerId, range }: Credential): string[] {
  return [{ credentialId: id }, { issuerId }, { schoolId: range.schoolId }].map(noticeOf);
}
