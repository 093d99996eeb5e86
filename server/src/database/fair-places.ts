import { FairLine } from '../fair-line.ts';
import { DatabaseBusyError } from './trouble.ts';
import type { Turn } from './turns.ts';

export interface PlaceRules {
  readonly count: number;
  readonly reserved: number;
  /** Counts callers that are not urgent. */
  readonly perSchoolMax: number;
  readonly waitingPerSchoolMax: number;
  readonly waitMs: number;
}

type Enter = () => void;

/** Callers without a known school yet may come from many schools, so `perSchoolMax` does not apply. */
const manySchools = '0';

/**
 * Limits how many callers use a pool at the same time. The queue serves schools in turn, and within a school its
 * callers in turn. Callers of one school that are not urgent leave places to others, even when all of them wait for a
 * lock.
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

  get waiting(): number {
    return this.#urgent.length + this.#others.length;
  }

  /**
   * Takes a free place, or returns null. It cannot overtake a queued caller: a release admits everyone who may enter.
   * @returns a function that releases the place and must be called once
   */
  takeFree(turn: Turn, urgent: boolean): (() => void) | null {
    const school = String(turn.school);
    if (!this.#hasRoom(school, urgent)) return null;
    this.#enter(school, urgent);
    return () => this.#leave(school, urgent);
  }

  /**
   * Like `takeFree`, but waits. @throws DatabaseBusyError when the school's queue is full, or no place was free in time
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
      // Keep a few schools at 0: a map that becomes empty again and again is costly.
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
