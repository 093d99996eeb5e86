import type { Student } from '@classledger/contract';
import type { ScoringQueue } from '../../taps/scoring-queue.ts';
import { isTakenBack, takersOf } from '../../taps/tap.ts';
import type { DayAbsentees } from './day-absentees.ts';

/** Who is chosen. Once points were given the choice is spent: it can be given more, the next tap begins anew. */
export interface Choice {
  readonly ids: readonly number[];
  readonly spent: boolean;
}

/** Points that were just given or taken back, shown for a moment. */
export interface Flash {
  readonly key: string;
  readonly change: number;
  /** On so many cards at once that it does not move: slow machines would stutter. */
  readonly still: boolean;
}

/** All that a student's card shows. The same object as long as nothing of it changes. */
export interface StudentView {
  readonly student: Student;
  readonly total: number;
  readonly chosen: 'no' | 'yes' | 'spent';
  readonly absent: boolean;
  readonly flash: Flash | null;
}

/** Points for someone, and what for. */
export interface Gift {
  readonly change: number;
  readonly description: string;
}

interface BoardPorts {
  readonly schoolDb: string;
  readonly classId: number;
  readonly queue: ScoringQueue;
  /** The current roster; undefined until it is loaded. */
  readonly roster: () => readonly Student[] | undefined;
  readonly absentees: DayAbsentees;
  /** Of whom points can be given in one request. */
  readonly perTapMax: number;
  /** Milliseconds that only ever rise. */
  readonly now: () => number;
  readonly later: (run: () => void, delayMs: number) => void;
}

const nobody: Choice = { ids: [], spent: false };
const flashMs = 1_200;
const movingMax = 12;
/** The second click of a double click is no second gift. */
const bounceMs = 250;

/**
 * What is chosen, absent and shown on a scoring page. It lives outside React, so that a tap draws the cards that it
 * changes and no others.
 */
export class ScoringBoard {
  readonly #ports: BoardPorts;
  readonly #listeners = new Set<() => void>();
  readonly #views = new Map<number, StudentView>();
  readonly #flashes = new Map<number, Flash>();
  #roster: readonly Student[] | undefined;
  #byId: ReadonlyMap<number, Student> = new Map();
  #choice = nobody;
  #chosen: ReadonlySet<number> = new Set();
  #absent: ReadonlySet<number>;
  #shown: readonly number[] = [];
  /** Where a choice by Shift begins. */
  #anchor: number | null = null;
  #last: (Gift & { ids: readonly number[]; at: number }) | null = null;

  constructor(ports: BoardPorts) {
    this.#ports = ports;
    this.#absent = new Set(ports.absentees.read());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    const unsubscribe = this.#ports.queue.subscribe(listener);
    this.#listeners.add(listener);
    return () => {
      unsubscribe();
      this.#listeners.delete(listener);
    };
  };

  /** Who is chosen; the same object as long as no one else is. */
  get choice(): Choice {
    return this.#choice;
  }

  /** Who is absent today; the same object as long as no one else is. */
  get absent(): ReadonlySet<number> {
    return this.#absent;
  }

  /** What a student's card shows; undefined for someone who is not in the class. */
  view(id: number): StudentView | undefined {
    const student = this.student(id);
    if (!student) return undefined;
    const chosen = this.#chosen.has(id) ? (this.#choice.spent ? 'spent' : 'yes') : 'no';
    const fresh: StudentView = {
      student,
      total: student.totalScore + this.#ports.queue.pendingChange(id),
      chosen,
      absent: this.#absent.has(id),
      flash: this.#flashes.get(id) ?? null,
    };
    const kept = this.#views.get(id);
    if (kept && sameView(kept, fresh)) return kept;
    this.#views.set(id, fresh);
    return fresh;
  }

  /** Undefined for someone who is not in the class. */
  student(id: number): Student | undefined {
    const roster = this.#ports.roster();
    if (roster !== this.#roster) {
      this.#roster = roster;
      this.#byId = new Map(roster?.map((student) => [student.id, student]));
    }
    return this.#byId.get(id);
  }

  /** Says in which order the page shows whom: "all" and choosing by Shift are about those. */
  show(ids: readonly number[]): void {
    this.#shown = ids;
  }

  /** Those of the shown students who are here today. */
  get present(): readonly number[] {
    this.beginDay();
    return this.#shown.filter((id) => !this.#absent.has(id));
  }

  /** Drops from the choice who has left the class, and draws the cards anew. */
  rosterChanged(): void {
    const left = this.#choice.ids.some((id) => !this.student(id));
    if (left) {
      this.#setChoice(
        this.#choice.ids.filter((id) => this.student(id)),
        this.#choice.spent,
      );
    } else {
      this.#notify();
    }
  }

  toggle(id: number): void {
    this.#anchor = id;
    const before = this.#choice.spent ? [] : this.#choice.ids;
    this.#setChoice(before.includes(id) ? before.filter((one) => one !== id) : [...before, id]);
  }

  /** Chooses exactly these. */
  choose(ids: readonly number[]): void {
    this.#anchor = ids.at(-1) ?? null;
    this.#setChoice(ids);
  }

  /** Chooses everyone shown from the last one that was tapped to this one, beside those chosen before. */
  chooseTo(id: number): void {
    const from = this.#shown.indexOf(this.#anchor ?? id);
    const to = this.#shown.indexOf(id);
    if (from < 0 || to < 0) {
      this.toggle(id);
      return;
    }
    const range = this.#shown.slice(Math.min(from, to), Math.max(from, to) + 1);
    const before = this.#choice.spent ? [] : this.#choice.ids;
    this.#setChoice([...new Set([...before, ...range])]);
  }

  chooseAll(): void {
    this.choose(this.present);
  }

  invert(): void {
    const before = this.#choice.spent ? new Set<number>() : this.#chosen;
    this.choose(this.present.filter((id) => !before.has(id)));
  }

  chooseNobody(): void {
    this.choose([]);
  }

  /** Forgets yesterday's absentees on a page that was left open over night. */
  beginDay(): void {
    const today = this.#ports.absentees.read();
    if (today.length === this.#absent.size && today.every((id) => this.#absent.has(id))) return;
    this.#absent = new Set(today);
    this.#notify();
  }

  setAbsent(ids: readonly number[], absent: boolean): void {
    this.beginDay();
    const now = new Set(this.#absent);
    for (const id of ids) {
      if (absent) now.add(id);
      else now.delete(id);
    }
    this.#absent = now;
    this.#ports.absentees.write([...now]);
    if (absent) this.#setChoice(this.#choice.ids.filter((id) => !now.has(id)));
    else this.#notify();
  }

  /**
   * Gives points to those chosen, or to `ids` alone.
   *
   * @returns false where no one is chosen, or it is the second half of a double click
   */
  give(gift: Gift, ids: readonly number[] = this.#choice.ids): boolean {
    if (ids.length === 0) return false;
    const isBounce = this.#isBounce(gift, ids);
    // A bounce that follows a bounce is one, too.
    this.#last = { ...gift, ids, at: this.#ports.now() };
    if (isBounce) return false;
    if (ids === this.#choice.ids) this.#choice = { ids, spent: true };
    else if (ids.length === 1 && this.#choice.ids[0] === ids[0]) this.#choice = nobody;
    this.#chosen = new Set(this.#choice.ids);
    const { queue, schoolDb, classId, perTapMax } = this.#ports;
    for (let from = 0; from < ids.length; from += perTapMax) {
      const studentIds = ids.slice(from, from + perTapMax);
      const { key } = queue.give({ schoolDb, classId, studentIds, ...gift });
      this.#flash(studentIds, key, gift.change);
    }
    this.#notify();
    return true;
  }

  /** Takes a tap back. */
  undo(key: string): void {
    const { queue } = this.#ports;
    const tap = queue.taps.find((candidate) => candidate.key === key);
    if (!tap || isTakenBack(tap)) return;
    queue.undo(key);
    // Who never got the points does not lose them.
    this.#flash(takersOf(tap), `undo ${key}`, -tap.change);
    this.#notify();
  }

  /**
   * Takes back the newest tap of this class that still counts.
   *
   * @returns false where there is none
   */
  undoNewest(): boolean {
    const { queue, classId, schoolDb } = this.#ports;
    const newest = queue.taps.find(
      (tap) =>
        tap.classId === classId &&
        tap.schoolDb === schoolDb &&
        ['sending', 'waiting', 'done'].includes(tap.state) &&
        // The server has refused to take it back.
        tap.stuckIds.length === 0 &&
        !isTakenBack(tap),
    );
    if (newest) this.undo(newest.key);
    return newest !== undefined;
  }

  #isBounce({ change, description }: Gift, ids: readonly number[]): boolean {
    const last = this.#last;
    return (
      last !== null &&
      this.#ports.now() - last.at < bounceMs &&
      last.change === change &&
      last.description === description &&
      last.ids.length === ids.length &&
      last.ids.every((id, index) => id === ids[index])
    );
  }

  #flash(ids: readonly number[], key: string, change: number): void {
    const flash: Flash = { key, change, still: ids.length > movingMax };
    for (const id of ids) this.#flashes.set(id, flash);
    this.#ports.later(() => {
      for (const id of ids) if (this.#flashes.get(id) === flash) this.#flashes.delete(id);
      this.#notify();
    }, flashMs);
  }

  #setChoice(ids: readonly number[], spent = false): void {
    this.#choice = ids.length === 0 ? nobody : { ids, spent };
    this.#chosen = new Set(ids);
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

function sameView(a: StudentView, b: StudentView): boolean {
  return (
    a.student === b.student &&
    a.total === b.total &&
    a.chosen === b.chosen &&
    a.absent === b.absent &&
    a.flash === b.flash
  );
}
