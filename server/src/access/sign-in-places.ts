import { addressGroup } from './address-group.ts';
import type { Counters } from './counters.ts';

const dayMs = 24 * 3_600_000;
const keptMs = 90 * dayMs;
/** A process forgets everything beyond and writes it once more. */
const notedMax = 10_000;

/**
 * Remembers from which addresses students of a school have signed in, for 90 days (docs/contract.md, Throttles). Only
 * hashes are stored.
 */
export class SignInPlaces {
  readonly #counters: Counters;
  /** What this process has stored on one day. */
  #noted = { day: 0, places: new Set<string>() };

  constructor(counters: Counters) {
    this.#counters = counters;
  }

  /** Notes a sign-in; the database is written once a day for a school and an address. */
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
      // The next sign-in notes it.
      places.delete(place);
      throw error;
    }
  }

  /** @returns those of some schools that are known at an address */
  async knownAt(ip: string, schoolIds: readonly number[]): Promise<ReadonlySet<number>> {
    const known = await this.#counters.remembered(counterOf(ip), schoolIds.map(String));
    return new Set(schoolIds.filter((_, n) => known[n]));
  }
}

const counterOf = (ip: string) => JSON.stringify(['schools of students at', addressGroup(ip)]);
