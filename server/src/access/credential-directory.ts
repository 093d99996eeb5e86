import type { Database } from '../database/connect.ts';
import { type AccessChange, formatAccessChange } from './access-changes.ts';
import { type Credential, selectCredentials, toCredentials } from './credential.ts';
import { hashToken, isWellFormedToken } from './token.ts';

const defaultCacheMax = 10_000;

interface ChangeListener {
  isTrusted(): boolean;
}

/**
 * Finds credentials by their plaintext. Every call needs one, so they are cached and evicted when anything that they
 * depend on changes (docs/security.md, Access changes). While notifications may be missing, every call queries the
 * database.
 */
export class CredentialDirectory {
  readonly #db: Database;
  readonly #listener: ChangeListener;
  readonly #cacheMax: number;
  /** Keyed by the hash of the plaintext, least recently used first. */
  readonly #cache = new Map<string, Credential>();
  /** Hashes by the notice that evicts them: deleting a school evicts hundreds. */
  readonly #hashesByNotice = new Map<string, Set<string>>();
  #generation = 0;

  constructor(db: Database, listener: ChangeListener, options: { readonly cacheMax?: number } = {}) {
    this.#db = db;
    this.#listener = listener;
    this.#cacheMax = options.cacheMax ?? defaultCacheMax;
  }

  /** Evicts the credentials that a change affects. @param change null when anything may have changed */
  evictAffected(change: AccessChange | null): void {
    this.#generation++;
    if (change) {
      for (const hash of this.#hashesByNotice.get(formatAccessChange(change)) ?? []) this.#evict(hash);
      return;
    }
    this.#cache.clear();
    this.#hashesByNotice.clear();
  }

  findCached(plaintext: string): Credential | null {
    return isWellFormedToken(plaintext) ? this.findCachedByHash(hashToken(plaintext)) : null;
  }

  /** Like `findCached`, by the hash that an access token names. */
  findCachedByHash(tokenHash: Buffer): Credential | null {
    if (!this.#listener.isTrusted()) return null;
    const hash = tokenHash.toString('base64');
    const credential = this.#cache.get(hash);
    if (!credential) return null;
    this.#cache.delete(hash);
    this.#cache.set(hash, credential);
    return credential;
  }

  async find(plaintext: string): Promise<Credential | null> {
    return isWellFormedToken(plaintext) ? this.findByHash(hashToken(plaintext)) : null;
  }

  /** Like `find`, by the hash that an access token names. */
  async findByHash(hash: Buffer): Promise<Credential | null> {
    const mayKeep = this.#listener.isTrusted();
    const generation = this.#generation;
    const rows = await selectCredentials(this.#db).where('k.token_hash', '=', hash).execute();
    const [credential = null] = await toCredentials(this.#db, rows);
    // A change during the query makes the result outdated: use it for this call, but do not cache it.
    if (credential && mayKeep && this.#listener.isTrusted() && generation === this.#generation) {
      this.#store(hash.toString('base64'), credential);
    }
    return credential;
  }

  #store(hash: string, credential: Credential): void {
    this.#evict(hash);
    this.#cache.set(hash, credential);
    for (const notice of noticesOf(credential)) {
      const touched = this.#hashesByNotice.get(notice) ?? new Set();
      this.#hashesByNotice.set(notice, touched.add(hash));
    }
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size <= this.#cacheMax) return;
      this.#evict(oldest);
    }
  }

  #evict(hash: string): void {
    const credential = this.#cache.get(hash);
    if (!credential) return;
    this.#cache.delete(hash);
    for (const notice of noticesOf(credential)) {
      const touched = this.#hashesByNotice.get(notice);
      touched?.delete(hash);
      if (touched?.size === 0) this.#hashesByNotice.delete(notice);
    }
  }
}

function noticesOf({ id, issuerId, range }: Credential): string[] {
  return [{ credentialId: id }, { issuerId }, { schoolId: range.schoolId }].map(formatAccessChange);
}
