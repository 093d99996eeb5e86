import { addressGroup } from '../access/address-group.ts';
import type { AuditEntry } from './audit-entry.ts';

const singlesMax = 60;
/** Limit for all addresses together, so that a distributed flood does not fill the disk. */
const singlesInAllMax = 6_000;
/** Addresses with their own sum in a minute; later ones share a sum. */
const addressesMax = 1_000;

interface Sum {
  calls: number;
  last: AuditEntry | null;
}

interface Address extends Sum {
  singles: number;
}

/** Chooses calls without a known credential to record singly, and sums up the others (docs/contract.md, Logs). */
export class UnknownCallers {
  #minute = 0;
  #singlesInAll = 0;
  #summed = 0;
  readonly #addresses = new Map<string, Address>();
  readonly #others: Sum = { calls: 0, last: null };
  #sums: AuditEntry[] = [];

  get isSumming(): boolean {
    return this.#summed > 0;
  }

  /** Returns whether to record a call by itself; otherwise adds it to a sum. */
  mayRecordSingly(entry: AuditEntry): boolean {
    this.#startMinute(minuteOf(entry.at));
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

  /** Takes out the sums of past minutes; with null for `now`, of the current one too. */
  takeSums(now: Date | null): AuditEntry[] {
    this.#startMinute(now && minuteOf(now));
    return this.#sums.splice(0);
  }

  /** Begins another minute, which may be an earlier one when a clock was set back. */
  #startMinute(minute: number | null): void {
    if (minute === this.#minute) return;
    for (const [group, sum] of this.#addresses) this.#addSum(sum, group);
    this.#addSum(this.#others, 'other addresses');
    this.#addresses.clear();
    Object.assign(this.#others, { calls: 0, last: null });
    this.#singlesInAll = 0;
    this.#summed = 0;
    this.#minute = minute ?? 0;
  }

  /** Records a sum as the last of its calls. */
  #addSum({ calls, last }: Sum, from: string): void {
    if (!last) return;
    const counted = `${calls} ${calls === 1 ? 'call' : 'calls'} from ${from}`;
    const errorMessage = `Not recorded singly: ${counted} in this minute; the last: ${last.errorMessage}`;
    this.#sums.push({ ...last, errorMessage });
  }
}

const minuteOf = (at: Date) => Math.floor(at.getTime() / 60_000);
