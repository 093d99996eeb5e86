import { addressGroup } from './address-group.ts';
import type { Counters } from './counters.ts';

const dayMs = 24 * 3_600_000;
const keptMs = 90 * dayMs;
/** Beyond this, the process forgets all entries and writes them again. */
const notedMax = 10_000;

/** Remembers for 90 days where students of a school signed in (docs/contract.md, Throttles). Stores only hashes. */
export class SignInPlaces {
  readonly #counters: Counters;
  #noted = { day: 0, places: new Set<string>() };

  constructor(counters: Counters) {
    this.#counters = counters;
  }

  /** Records a sign-in. Writes to the database once a day per school and address. */
  async note(ip: string, schoolId: number, at: Date): Promise<void> {
    const day = Math.floor(at.getTime() / dayMs);
    const place = JSON.stringify([addressGroup(ip), schoolId]);
    if (this.#noted.day !== day || this.#noted.places.size >= notedMax) {
      this.#noted = { day, places: new Set() };
    }
    if (this.#noted.places.has(place)) return;
    const { places } = this.#noted;
    places.add(place);
    try {
      await this.#counters.remember({ counter: counterOf(ip), event: String(schoolId), windowMs: keptMs });
    } catch (error) {
      // The next sign-in retries.
      places.delete(place);
      throw error;
    }
  }

  async knownAt(ip: string, schoolIds: readonly number[]): Promise<ReadonlySet<number>> {
    const known = await this.#counters.remembered(counterOf(ip), schoolIds.map(String));
    return new Set(schoolIds.filter((_, n) => known[n]));
  }
}

const counterOf = (ip: string) => JSON.stringify(['schools of students at', addressGroup(ip)]);
