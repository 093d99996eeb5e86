import { limits } from 'virtual:contract';
import type { Student } from '@classledger/contract';
import { shallowEqual } from '@mantine/hooks';
import { isTakenBack } from '../../outbox/entry.ts';
import { recipientIdsOf } from '../../outbox/points-entry.ts';
import type { ScoringQueue } from '../../outbox/scoring-queue.ts';

/** The selection. `isUsed` is true after points were given to it: the next tap then starts a new selection. */
export interface Selection {
  readonly ids: readonly number[];
  /** Selected teams; `ids` is then empty. */
  readonly teamIds?: readonly number[];
  readonly isUsed: boolean;
}

export interface CardFlash {
  readonly key: string;
  readonly change: number;
  /** True if so many cards change that the animation would be slow. */
  readonly isStill: boolean;
}

export interface StudentView {
  readonly student: Student;
  readonly total: number;
  readonly selected: 'no' | 'yes' | 'used';
  readonly absent: boolean;
  readonly flash: CardFlash | null;
}

export interface PointChange {
  readonly change: number;
  readonly description: string;
  readonly template?: string;
  readonly categoryId?: number;
}

interface BoardPorts {
  readonly schoolDb: string;
  readonly classId: number;
  readonly queue: ScoringQueue;
  readonly roster: () => readonly Student[] | undefined;
  readonly readAbsent: () => readonly number[];
  readonly markAbsent: (ids: readonly number[], absent: boolean) => void;
}

const emptySelection: Selection = { ids: [], isUsed: false };
/** Returns the negative id that stands for a team in lists of student ids. */
const teamFlashId = (id: number) => -id;
const flashMs = 1_200;
const animatedCardsMax = 12;
const doubleClickMs = 250;

/** Holds selection, absences and cards outside React, so that a tap renders only the cards that it changes. */
export class ScoringBoard {
  readonly #ports: BoardPorts;
  readonly #listeners = new Set<() => void>();
  readonly #views = new Map<number, StudentView>();
  readonly #flashes = new Map<number, CardFlash>();
  /** The shown students, in their order on the page, for Shift ranges and "select all". */
  shown: readonly number[] = [];
  #roster: readonly Student[] | undefined;
  #byId: ReadonlyMap<number, Student> = new Map();
  #selection = emptySelection;
  #selected: ReadonlySet<number> = new Set();
  #note = '';
  #notedIds: ReadonlySet<number> = new Set();
  #absent: ReadonlySet<number>;
  #anchor: number | null = null;
  #lastClick: { readonly what: string; readonly at: number } | null = null;

  constructor(ports: BoardPorts) {
    this.#ports = ports;
    this.#absent = new Set(ports.readAbsent());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    const unsubscribe = this.#ports.queue.subscribe(listener);
    this.#listeners.add(listener);
    return () => {
      unsubscribe();
      this.#listeners.delete(listener);
    };
  };

  get selection(): Selection {
    return this.#selection;
  }

  get hasSelection(): boolean {
    return this.#selection.ids.length + (this.#selection.teamIds?.length ?? 0) > 0;
  }

  /** The note for the next points. Deleted when points are given, or when its students are no longer selected. */
  get note(): string {
    return this.#note;
  }

  setNote(note: string): void {
    this.#note = note;
    this.#notedIds = this.#selected;
    this.#notify();
  }

  get absent(): ReadonlySet<number> {
    return this.#absent;
  }

  view(id: number): StudentView | undefined {
    const student = this.student(id);
    if (!student) return undefined;
    const selected = this.#selected.has(id) ? (this.#selection.isUsed ? 'used' : 'yes') : 'no';
    const fresh: StudentView = {
      student,
      total: student.totalScore + this.#ports.queue.pendingChange(id),
      selected,
      absent: this.#absent.has(id),
      flash: this.#flashes.get(id) ?? null,
    };
    const known = this.#views.get(id);
    if (known && shallowEqual(known, fresh)) return known;
    this.#views.set(id, fresh);
    return fresh;
  }

  student(id: number): Student | undefined {
    const roster = this.#ports.roster();
    if (roster !== this.#roster) {
      this.#roster = roster;
      this.#byId = new Map(roster?.map((student) => [student.id, student]));
    }
    return this.#byId.get(id);
  }

  get present(): readonly number[] {
    return this.shown.filter((id) => !this.#absent.has(id));
  }

  refreshRoster(): void {
    const { ids, isUsed } = this.#selection;
    const remaining = ids.filter((id) => this.student(id));
    if (remaining.length < ids.length) this.#setSelection(remaining, isUsed);
    else this.#notify();
  }

  toggle(id: number): void {
    this.#anchor = id;
    this.#setSelection(toggled(this.#selection.isUsed ? [] : this.#selection.ids, id));
  }

  toggleTeam(id: number): void {
    const teamIds = toggled((!this.#selection.isUsed && this.#selection.teamIds) || [], id);
    this.#replaceSelection(teamIds.length === 0 ? emptySelection : { ids: [], teamIds, isUsed: false });
    this.#notify();
  }

  teamFlash(id: number): CardFlash | null {
    return this.#flashes.get(teamFlashId(id)) ?? null;
  }

  select(ids: readonly number[]): void {
    this.#anchor = ids.at(-1) ?? null;
    this.#setSelection(ids);
  }

  selectRangeTo(id: number): void {
    const from = this.shown.indexOf(this.#anchor ?? id);
    const to = this.shown.indexOf(id);
    if (from < 0 || to < 0) {
      this.toggle(id);
      return;
    }
    const range = this.shown.slice(Math.min(from, to), Math.max(from, to) + 1);
    const before = this.#selection.isUsed ? [] : this.#selection.ids;
    this.#setSelection([...new Set([...before, ...range])]);
  }

  /** Selects the present students of a row, group or column. Deselects them if all are already selected. */
  toggleAll(ids: readonly number[]): void {
    const meant = this.#presentAmong(ids);
    const before = this.#selection.isUsed ? [] : this.#selection.ids;
    const others = before.filter((id) => !meant.includes(id));
    this.#anchor = meant.at(-1) ?? null;
    this.#setSelection(this.areSelected(ids) ? others : [...others, ...meant]);
  }

  areSelected(ids: readonly number[]): boolean {
    if (this.#selection.isUsed || !ids.some((id) => this.#selected.has(id))) return false;
    return this.#presentAmong(ids).every((id) => this.#selected.has(id));
  }

  #presentAmong(ids: readonly number[]): readonly number[] {
    return ids.filter((id) => this.shown.includes(id) && !this.#absent.has(id));
  }

  selectAll(): void {
    this.select(this.present);
  }

  invert(): void {
    const before = this.#selection.isUsed ? new Set<number>() : this.#selected;
    this.select(this.present.filter((id) => !before.has(id)));
  }

  clearSelection(): void {
    this.select([]);
  }

  /** Reads the absences again, which other pages or a new day may have changed. */
  refreshAbsences(): void {
    const today = this.#ports.readAbsent();
    if (today.length === this.#absent.size && today.every((id) => this.#absent.has(id))) return;
    this.#absent = new Set(today);
    const { ids, isUsed } = this.#selection;
    this.#setSelection(
      ids.filter((id) => !this.#absent.has(id)),
      isUsed,
    );
  }

  setAbsent(ids: readonly number[], absent: boolean): void {
    const now = new Set(this.#absent);
    for (const id of ids) {
      if (absent) now.add(id);
      else now.delete(id);
    }
    this.#absent = now;
    this.#ports.markAbsent(ids, absent);
    if (absent) this.#setSelection(this.#selection.ids.filter((id) => !now.has(id)));
    else this.#notify();
  }

  /** Gives points to the selection with its note, or to `ids` without a note. Returns false if it gives nothing. */
  give(pointChange: PointChange, ids: readonly number[] = this.#selection.ids): boolean {
    const isSelection = ids === this.#selection.ids;
    if (isSelection && this.#selection.teamIds) return this.#giveTeams(pointChange, this.#selection.teamIds);
    if (ids.length === 0 || this.#isDoubleClick(pointChange, ids)) return false;
    const note = isSelection ? this.#note.trim() : '';
    if (isSelection) this.#replaceSelection({ ids, isUsed: true });
    else if (ids.length === 1 && this.#selection.ids[0] === ids[0]) this.#replaceSelection(emptySelection);
    const { queue, schoolDb, classId } = this.#ports;
    const given = { schoolDb, classId, ...pointChange, ...(note !== '' && { note }) };
    for (let from = 0; from < ids.length; from += limits.scoresPerRequestMax) {
      const studentIds = ids.slice(from, from + limits.scoresPerRequestMax);
      const { key } = queue.give({ ...given, studentIds });
      this.#flash(studentIds, key, pointChange.change);
    }
    this.#notify();
    return true;
  }

  #giveTeams(pointChange: PointChange, teamIds: readonly number[]): boolean {
    const ids = teamIds.map(teamFlashId);
    if (this.#isDoubleClick(pointChange, ids)) return false;
    this.#replaceSelection({ ids: [], teamIds, isUsed: true });
    const { queue, schoolDb, classId } = this.#ports;
    const { categoryId: _, ...change } = pointChange;
    const { key } = queue.give({ schoolDb, classId, studentIds: [], teamIds, ...change });
    this.#flash(ids, key, pointChange.change);
    this.#notify();
    return true;
  }

  undo(key: string): void {
    const { queue } = this.#ports;
    const entry = queue.entries.find((candidate) => candidate.key === key);
    if (!entry || isTakenBack(entry)) return;
    queue.outbox.undo(key);
    // Leaves out refused recipients, who received no points.
    const ids = recipientIdsOf(entry).map((id) => (entry.teamIds ? teamFlashId(id) : id));
    this.#flash(ids, `undo ${key}`, -entry.change);
    this.#notify();
  }

  /** Takes back the newest entry of this class that still counts. Returns false if there is none. */
  undoNewest(): boolean {
    const { queue, classId, schoolDb } = this.#ports;
    const newest = queue.entries.find(
      (entry) =>
        entry.classId === classId &&
        entry.schoolDb === schoolDb &&
        ['sending', 'waiting', 'done'].includes(entry.state) &&
        // Excludes points that the server has refused to revoke.
        entry.stuckIds.length === 0 &&
        !isTakenBack(entry),
    );
    if (newest) this.undo(newest.key);
    return newest !== undefined;
  }

  /** Measures from the last click, so that a series of fast clicks gives points only once. */
  #isDoubleClick({ change, description, categoryId }: PointChange, ids: readonly number[]): boolean {
    const last = this.#lastClick;
    const click = { what: JSON.stringify([change, description, categoryId, ids]), at: performance.now() };
    this.#lastClick = click;
    return click.what === last?.what && click.at - last.at < doubleClickMs;
  }

  #flash(ids: readonly number[], key: string, change: number): void {
    const flash: CardFlash = { key, change, isStill: ids.length > animatedCardsMax };
    for (const id of ids) this.#flashes.set(id, flash);
    setTimeout(() => {
      for (const id of ids) if (this.#flashes.get(id) === flash) this.#flashes.delete(id);
      this.#notify();
    }, flashMs);
  }

  #setSelection(ids: readonly number[], isUsed = false): void {
    const keepsNote = this.#selection.isUsed === isUsed && ids.some((id) => this.#notedIds.has(id));
    const note = keepsNote ? this.#note : '';
    this.#replaceSelection(ids.length === 0 ? emptySelection : { ids, isUsed }, note);
    this.#notify();
  }

  #replaceSelection(selection: Selection, note = ''): void {
    this.#selection = selection;
    this.#selected = new Set(selection.ids);
    this.#note = note;
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

function toggled(ids: readonly number[], id: number): readonly number[] {
  return ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id];
}
