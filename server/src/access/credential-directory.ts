import type { Database } from '../database/connect.ts';
import { type AccessChange, formatAccessChange } from './access-changes.ts';
import { type Credential, selectCredentials, toCredentials } from './credential.ts';

const defaultCacheMax = 10_000;

interface ChangeListener {
  isCacheValid(): boolean;
}

/** Caches credentials while the listener proves that access changes arrive (docs/security.md, Access changes). */
export class CredentialDirectory {
  readonly #db: Database;
  readonly #listener: ChangeListener;
  readonly #cacheMax: number;
  /** Keyed by the hash of the token, least recently used first. */
  readonly #cache = new Map<string, Credential>();
  /** Token hashes by the notice that evicts them, because one notice about a school can evict hundreds. */
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

  findCached(tokenHash: Buffer): Credential | null {
    if (!this.#listener.isCacheValid()) return null;
    const hash = tokenHash.toString('base64');
    const credential = this.#cache.get(hash);
    if (!credential) return null;
    this.#cache.delete(hash);
    this.#cache.set(hash, credential);
    return credential;
  }

  async find(hash: Buffer): Promise<Credential | null> {
    const mayKeep = this.#listener.isCacheValid();
    const generation = this.#generation;
    const rows = await selectCredentials(this.#db).where('k.token_hash', '=', hash).execute();
    const [credential = null] = await toCredentials(this.#db, rows);
    // Does not cache the result if a change arrived during the query, because the result may be older than the change.
    if (credential && mayKeep && this.#listener.isCacheValid() && generation === this.#generation) {
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
