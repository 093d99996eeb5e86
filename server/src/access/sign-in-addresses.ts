import { addressGroup } from './address-group.ts';
import type { Counters } from './counters.ts';

const dayMs = 24 * 3_600_000;
const keptMs = 90 * dayMs;
/** At this many entries, the process forgets all of them and writes them again. */
const recordedMax = 10_000;

/** Remembers for 90 days at which addresses students of a school signed in, as hashes (docs/contract.md, Throttles). */
export class SignInAddresses {
  readonly #counters: Counters;
  #recorded = { day: 0, entries: new Set<string>() };

  constructor(counters: Counters) {
    this.#counters = counters;
  }

  /** Records a sign-in. Writes to the database once a day per school and address. */
  async record(ip: string, schoolId: number, at: Date): Promise<void> {
    const day = Math.floor(at.getTime() / dayMs);
    const entry = JSON.stringify([addressGroup(ip), schoolId]);
    if (this.#recorded.day !== day || this.#recorded.entries.size >= recordedMax) {
      this.#recorded = { day, entries: new Set() };
    }
    if (this.#recorded.entries.has(entry)) return;
    const { entries } = this.#recorded;
    entries.add(entry);
    try {
      await this.#counters.remember({ counter: counterOf(ip), event: String(schoolId), windowMs: keptMs });
    } catch (error) {
      // Forgets the entry, so that the next sign-in writes it.
      entries.delete(entry);
      throw error;
    }
  }

  async knownSchools(ip: string, schoolIds: readonly number[]): Promise<ReadonlySet<number>> {
    const known = await this.#counters.areRemembered(counterOf(ip), schoolIds.map(String));
    return new Set(schoolIds.filter((_, n) => known[n]));
  }
}

const counterOf = (ip: string) => JSON.stringify(['schools of students at', addressGroup(ip)]);
