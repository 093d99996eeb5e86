import { addressGroup } from '../access/address-group.ts';
import type { AuditEntry } from './audit-entry.ts';

/** Of one address, in one minute of the clock. */
const singlesMax = 60;
/** Of all addresses together: a flood from everywhere must not fill the disk either. */
const singlesInAllMax = 6_000;
/** Addresses that are counted apart in one minute; those that come later share one sum. */
const addressesMax = 1_000;

/** Calls that are not recorded singly. */
interface Sum {
  calls: number;
  last: AuditEntry | null;
}

interface Address extends Sum {
  singles: number;
}

/**
 * Decides which calls that name no known credential are recorded singly, and sums up the others by address and
 * minute of the clock (docs/contract.md, Logs). What is kept is bounded, however many addresses a flood comes from.
 */
export class UnknownCallers {
  #minute = 0;
  #singlesInAll = 0;
  #summed = 0;
  readonly #addresses = new Map<string, Address>();
  readonly #others: Sum = { calls: 0, last: null };
  /** Of minutes that are over. */
  #sums: AuditEntry[] = [];

  /** Whether calls of the minute are summed up already. */
  get isSumming(): boolean {
    return this.#summed > 0;
  }

  /** Whether a call is to be recorded by itself; if not, it is part of a sum from now on. */
  isSingle(entry: AuditEntry): boolean {
    this.#begin(minuteOf(entry.at));
    const group = addressGroup(entry.ip);
    let address = this.#addresses.get(group);
    if (!address && this.#addresses.size < addressesMax) {
      address = { singles: 0, calls: 0, last: null };
      this.#addresses.set(group, address);
    }
    if (address && address.singles < singlesMax && this.#singlesInAll < singlesInAllMax) {
      address.singles++;
      this.#singlesInAll++;
      return true;
    }
    const sum = address ?? this.#others;
    sum.calls++;
    sum.last = entry;
    this.#summed++;
    return false;
  }

  /** @returns one record for each sum of a minute that is over, once; with null for `now`, of the current one too */
  takeSums(now: Date | null): AuditEntry[] {
    this.#begin(now && minuteOf(now));
    return this.#sums.splice(0);
  }

  /** Ends the minute before, unless it is the same; a clock that is set back begins another one too. */
  #begin(minute: number | null): void {
    if (minute === this.#minute) return;
    for (const [group, sum] of this.#addresses) this.#close(sum, group);
    this.#close(this.#others, 'other addresses');
    this.#addresses.clear();
    Object.assign(this.#others, { calls: 0, last: null });
    this.#singlesInAll = 0;
    this.#summed = 0;
    this.#minute = minute ?? 0;
  }

  /** A sum is shown as the last of its calls. */
  #close({ calls, last }: Sum, from: string): void {
    if (!last) return;
    const counted = `${calls} ${calls === 1 ? 'call' : 'calls'} from ${from}`;
    const errorMessage = `Not recorded singly: ${counted} in this minute; the last: ${last.errorMessage}`;
    this.#sums.push({ ...last, errorMessage });
  }
}

const minuteOf = (at: Date) => Math.floor(at.getTime() / 60_000);
