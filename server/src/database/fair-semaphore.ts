import { FairQueue } from '../concurrency/fair-queue.ts';
import type { Caller } from './caller.ts';
import { DatabaseBusyError } from './trouble.ts';

export interface SemaphoreLimits {
  readonly slots: number;
  readonly reserved: number;
  /** Counts callers that are not urgent. */
  readonly perSchoolMax: number;
  readonly waitingPerSchoolMax: number;
  readonly waitMs: number;
}

type Admit = () => void;

/** Callers whose school is still unknown may come from many schools, so `perSchoolMax` does not apply. */
const unknownSchool = '0';

/** Admits schools in turn, then callers in turn. Callers of one school that are not urgent leave slots to others. */
export class FairSemaphore {
  readonly #limits: SemaphoreLimits;
  readonly #urgent = new FairQueue<Admit>();
  readonly #normal = new FairQueue<Admit>();
  readonly #takenBySchool = new Map<string, number>();
  #taken = 0;
  #takenByNormal = 0;

  constructor(limits: SemaphoreLimits) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#urgent.length + this.#normal.length;
  }

  /** Acquires a free slot, or returns null; overtakes no queued caller. @returns a function to call once */
  tryAcquire(caller: Caller, urgent: boolean): (() => void) | null {
    const school = String(caller.schoolId);
    if (!this.#hasRoom(school, urgent)) return null;
    this.#occupy(school, urgent);
    return () => this.#release(school, urgent);
  }

  /** Waits for a slot. @throws DatabaseBusyError when the school's queue is full or no slot was free in time */
  async acquire(caller: Caller, urgent: boolean): Promise<() => void> {
    const release = this.tryAcquire(caller, urgent);
    if (release) return release;
    const school = String(caller.schoolId);
    await this.#wait(school, caller.name, urgent);
    return () => this.#release(school, urgent);
  }

  #hasRoom(school: string, urgent: boolean): boolean {
    const { slots, reserved, perSchoolMax } = this.#limits;
    if (this.#taken >= slots) return false;
    if (urgent) return true;
    if (this.#takenByNormal >= slots - reserved) return false;
    return school === unknownSchool || (this.#takenBySchool.get(school) ?? 0) < perSchoolMax;
  }

  #occupy(school: string, urgent: boolean): void {
    this.#taken++;
    if (urgent) return;
    this.#takenByNormal++;
    this.#takenBySchool.set(school, (this.#takenBySchool.get(school) ?? 0) + 1);
  }

  #release(school: string, urgent: boolean): void {
    this.#taken--;
    if (!urgent) {
      this.#takenByNormal--;
      const left = (this.#takenBySchool.get(school) ?? 1) - 1;
      // Keep a few schools at 0: a map that becomes empty again and again is costly.
      if (left > 0 || this.#takenBySchool.size <= this.#limits.slots) this.#takenBySchool.set(school, left);
      else this.#takenBySchool.delete(school);
    }
    for (let admit = this.#takeNext(); admit; admit = this.#takeNext()) admit();
  }

  #takeNext(): Admit | null {
    return (
      this.#urgent.takeNext((school) => this.#hasRoom(school, true)) ??
      this.#normal.takeNext((school) => this.#hasRoom(school, false))
    );
  }

  #wait(school: string, caller: string, urgent: boolean): Promise<void> {
    const queue = urgent ? this.#urgent : this.#normal;
    if (queue.lengthOf(school) >= this.#limits.waitingPerSchoolMax) {
      return Promise.reject(new DatabaseBusyError('Too many requests wait for the database'));
    }
    return new Promise((resolve, reject) => {
      const origin = [school, caller];
      const timer = setTimeout(() => {
        queue.remove(origin, admit);
        reject(new DatabaseBusyError('No database connection was free in time'));
      }, this.#limits.waitMs).unref();
      const admit = () => {
        clearTimeout(timer);
        this.#occupy(school, urgent);
        resolve();
      };
      queue.add(origin, admit);
    });
  }
}
