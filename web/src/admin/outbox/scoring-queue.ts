import {
  type EntryChange,
  isCertainlyUnsent,
  isTap,
  isUnsettled,
  mustBeKept,
  statusOf,
  type Tap,
} from './entry.ts';
import type { Outbox } from './outbox.ts';
import {
  type NewTap,
  noResult,
  pendingChanges,
  type SavedPoints,
  savedPointsBetween,
  type TapChange,
} from './tap.ts';

/** Taps in the list. Unsettled and `unsure` ones are kept beyond it. */
const listedTapsMax = 50;
type Listener = (changes: readonly TapChange[]) => void;

/** Shows the points in an outbox: the taps, and what they change in the totals of the server. */
export class ScoringQueue {
  readonly outbox: Outbox;
  readonly #onSaved: (saved: SavedPoints) => void;
  readonly #listeners = new Set<Listener>();
  #taps: readonly Tap[] = [];
  #pending: ReadonlyMap<number, number> = new Map();
  #pendingOfTeams: ReadonlyMap<number, number> = new Map();
  #revision = 0;
  /** By student, the moment when one of their taps last changed, other than while it was unsent. */
  readonly #changedAtRevision = new Map<number, number>();

  constructor(outbox: Outbox, onSaved: (saved: SavedPoints) => void) {
    this.outbox = outbox;
    this.#onSaved = onSaved;
    outbox.subscribe((changes) => this.#publish(changes));
  }

  /** Newest first; a new array after each change. */
  get taps(): readonly Tap[] {
    return this.#taps;
  }

  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get unsettledCount(): number {
    return this.#taps.filter(isUnsettled).length;
  }

  /** Returns the change that unsettled taps make to a student's total. */
  pendingChange(studentId: number): number {
    return this.#pending.get(studentId) ?? 0;
  }

  pendingTeamChange(teamId: number): number {
    return this.#pendingOfTeams.get(teamId) ?? 0;
  }

  /** The caller reads the revision when requesting totals: see {@link unclearStudentsSince}. */
  get revision(): number {
    return this.#revision;
  }

  /** Returns the students whose totals, requested at a moment, may or may not include a tap under way. */
  unclearStudentsSince(revision: number): ReadonlySet<number> {
    const uncertain = this.#taps.filter((tap) => statusOf(tap) === 'uncertain');
    const changed = [...this.#changedAtRevision].flatMap(([id, at]) => (at > revision ? [id] : []));
    return new Set([...uncertain.flatMap(({ studentIds }) => studentIds), ...changed]);
  }

  /** Gives points. The tap shows in `taps` before this returns. */
  give(tap: NewTap): Tap {
    const given = this.outbox.add({ kind: 'points', ...tap, ...noResult });
    for (const old of this.#taps.slice(listedTapsMax)) {
      if (!mustBeKept(old)) this.outbox.change(old.key, () => []);
    }
    return given;
  }

  undo(key: string): void {
    this.outbox.undo(key);
  }

  setNote(key: string, note: string | null): void {
    this.outbox.change(key, (tap) => (isTap(tap) && tap.state === 'done' ? [{ ...tap, note }] : null));
  }

  giveUp(key: string): void {
    this.outbox.giveUp(key);
  }

  sendAgain(key: string): void {
    this.outbox.sendAgain(key);
  }

  #publish(all: readonly EntryChange[]): void {
    const changes = all.flatMap(({ was, entry: tap }) =>
      isTap(tap) ? [{ was: isTap(was) ? was : undefined, tap }] : [],
    );
    if (changes.length === 0) return;
    this.#taps = this.outbox.entries.filter(isTap).toReversed();
    this.#pending = pendingChanges(this.#taps, 'students');
    this.#pendingOfTeams = pendingChanges(this.#taps, 'teams');
    this.#revision++;
    for (const { was, tap } of changes) {
      // A new or waiting tap has not reached the server.
      if (isCertainlyUnsent(tap) && (!was || isCertainlyUnsent(was))) continue;
      for (const id of tap.studentIds) this.#changedAtRevision.set(id, this.#revision);
      const saved = was && savedPointsBetween(was, tap);
      if (saved) this.#onSaved(saved);
    }
    for (const listener of this.#listeners) listener(changes);
  }
}
