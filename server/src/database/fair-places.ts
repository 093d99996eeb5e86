import { FairLine } from '../fair-line.ts';
import { DatabaseBusyError } from './trouble.ts';
import type { Turn } from './turns.ts';

export interface PlaceRules {
  readonly count: number;
  /** Kept for what is urgent. */
  readonly reserved: number;
  /** What is not urgent of one school has at most so many at once. */
  readonly perSchoolMax: number;
  readonly waitingPerSchoolMax: number;
  readonly waitMs: number;
}

type Enter = () => void;

/** Where no school is known yet, many may be meant: they may have more than one school. */
const manySchools = '0';

/**
 * Gives out a number of places. Who waits is served in turn over the schools, and within a school over its callers:
 * however many requests of one wait, the next of another is one turn behind. Some places are never taken by one
 * school alone, so that a school whose statements all wait for a lock stands in no one's way.
 */
export class FairPlaces {
  readonly #rules: PlaceRules;
  readonly #urgent = new FairLine<Enter>();
  readonly #others = new FairLine<Enter>();
  readonly #ofSchool = new Map<string, number>();
  #taken = 0;
  #takenByOthers = 0;

  constructor(rules: PlaceRules) {
    this.#rules = rules;
  }

  /** Those who wait for a place. */
  get waiting(): number {
    return this.#urgent.length + this.#others.length;
  }

  /**
   * Takes a place that is free. Where there is room, no one waits who may enter: whoever leaves lets them in.
   *
   * @param urgent goes before all that is not
   * @returns what gives the place back, to be called once; null when one has to wait
   */
  takeFree(turn: Turn, urgent: boolean): (() => void) | null {
    const school = String(turn.school);
    if (!this.#hasRoom(school, urgent)) return null;
    this.#enter(school, urgent);
    return () => this.#leave(school, urgent);
  }

  /**
   * Takes a place, once there is one: as `takeFree` otherwise.
   *
   * @throws DatabaseBusyError when too many wait, or no place was free in time
   */
  async take(turn: Turn, urgent: boolean): Promise<() => void> {
    const leave = this.takeFree(turn, urgent);
    if (leave) return leave;
    const school = String(turn.school);
    await this.#wait(school, turn.caller, urgent);
    return () => this.#leave(school, urgent);
  }

  #hasRoom(school: string, urgent: boolean): boolean {
    const { count, reserved, perSchoolMax } = this.#rules;
    if (this.#taken >= count) return false;
    if (urgent) return true;
    if (this.#takenByOthers >= count - reserved) return false;
    return school === manySchools || (this.#ofSchool.get(school) ?? 0) < perSchoolMax;
  }

  #enter(school: string, urgent: boolean): void {
    this.#taken++;
    if (urgent) return;
    this.#takenByOthers++;
    this.#ofSchool.set(school, (this.#ofSchool.get(school) ?? 0) + 1);
  }

  #leave(school: string, urgent: boolean): void {
    this.#taken--;
    if (!urgent) {
      this.#takenByOthers--;
      const left = (this.#ofSchool.get(school) ?? 1) - 1;
      // A few are kept: a map whose only key comes and goes is built anew all the time.
      if (left > 0 || this.#ofSchool.size <= this.#rules.count) this.#ofSchool.set(school, left);
      else this.#ofSchool.delete(school);
    }
    for (let enter = this.#next(); enter; enter = this.#next()) enter();
  }

  #next(): Enter | null {
    return (
      this.#urgent.takeNext((school) => this.#hasRoom(school, true)) ??
      this.#others.takeNext((school) => this.#hasRoom(school, false))
    );
  }

  #wait(school: string, caller: string, urgent: boolean): Promise<void> {
    const line = urgent ? this.#urgent : this.#others;
    if (line.lengthOf(school) >= this.#rules.waitingPerSchoolMax) {
      return Promise.reject(new DatabaseBusyError('Too many wait for the database'));
    }
    return new Promise((resolve, reject) => {
      const origin = [school, caller];
      const timer = setTimeout(() => {
        line.remove(origin, enter);
        reject(new DatabaseBusyError('The database had no time'));
      }, this.#rules.waitMs).unref();
      const enter = () => {
        clearTimeout(timer);
        this.#enter(school, urgent);
        resolve();
      };
      line.add(origin, enter);
    });
  }
}
