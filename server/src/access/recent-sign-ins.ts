/**
 * How many different accounts signed in at an address of late. Memory is bounded: an address has as many as count, and
 * past `signInsMax` in all the addresses where the last sign-in is oldest are forgotten. Counted per process; a restart
 * forgets.
 */
export class RecentSignIns {
  readonly #windowMs: number;
  readonly #accountsMax: number;
  readonly #signInsMax: number;
  /** By address and account: when it last signed in there. Both are ordered by that, the oldest first. */
  readonly #addresses = new Map<string, Map<string, number>>();
  #size = 0;

  constructor(windowMs: number, bounds: { readonly accountsMax: number; readonly signInsMax: number }) {
    this.#windowMs = windowMs;
    this.#accountsMax = bounds.accountsMax;
    this.#signInsMax = bounds.signInsMax;
  }

  add(address: string, account: string, now: number): void {
    const accounts = this.#take(address);
    accounts.delete(account);
    accounts.set(account, now);
    for (const oldest of accounts.keys()) {
      if (accounts.size <= this.#accountsMax) break;
      accounts.delete(oldest);
    }
    this.#addresses.set(address, accounts);
    this.#size += accounts.size;
    for (const quietest of this.#addresses.keys()) {
      if (this.#size <= this.#signInsMax) break;
      this.#take(quietest);
    }
  }

  /** The accounts that signed in at the address within the window that ends at `now`. */
  accounts(address: string, now: number): number {
    let count = 0;
    for (const at of this.#addresses.get(address)?.values() ?? []) {
      if (at > now - this.#windowMs) count++;
    }
    return count;
  }

  #take(address: string): Map<string, number> {
    const accounts = this.#addresses.get(address) ?? new Map<string, number>();
    this.#addresses.delete(address);
    this.#size -= accounts.size;
    return accounts;
  }
}
