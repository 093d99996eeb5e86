import {
  type EntryChange,
  isCertainlyUnsent,
  isPointsEntry,
  isUnsettled,
  mustBeKept,
  type PointsEntry,
  saveStatusOf,
} from './entry.ts';
import type { Outbox } from './outbox.ts';
import {
  type NewPoints,
  type PointsEntryChange,
  pendingChanges,
  type SavedPoints,
  savedPointsBetween,
} from './points-entry.ts';

/** Length of the list of entries. Entries that are unanswered or `unsure` are kept even beyond it. */
const listedEntriesMax = 50;
type Listener = (changes: readonly PointsEntryChange[]) => void;

/** The points in an outbox: lists the entries, and sums how they change the server's totals. */
export class ScoringQueue {
  readonly outbox: Outbox;
  readonly #onSaved: (saved: SavedPoints) => void;
  readonly #listeners = new Set<Listener>();
  #entries: readonly PointsEntry[] = [];
  #pending = pendingChanges([]);
  #revision = 0;
  /** By student, the revision at which one of their entries last changed. Ignores entries that are certainly unsent. */
  readonly #changedAtRevision = new Map<number, number>();

  constructor(outbox: Outbox, onSaved: (saved: SavedPoints) => void) {
    this.outbox = outbox;
    this.#onSaved = onSaved;
    outbox.subscribe((changes) => this.#publish(changes));
  }

  /** Newest first; a new array after each change. */
  get entries(): readonly PointsEntry[] {
    return this.#entries;
  }

  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get unsettledCount(): number {
    return this.#entries.filter(isUnsettled).length;
  }

  pendingChange(studentId: number): number {
    return this.#pending.students.get(studentId) ?? 0;
  }

  pendingTeamChange(teamId: number): number {
    return this.#pending.teams.get(teamId) ?? 0;
  }

  /** Number of the last change. Before requesting totals, callers keep it for {@link unclearStudentsSince}. */
  get revision(): number {
    return this.#revision;
  }

  /** Returns students whose totals, if requested at this revision, may or may not include the latest points. */
  unclearStudentsSince(revision: number): ReadonlySet<number> {
    const uncertain = this.#entries.filter((entry) => saveStatusOf(entry) === 'uncertain');
    const changed = [...this.#changedAtRevision].flatMap(([id, at]) => (at > revision ? [id] : []));
    return new Set([...uncertain.flatMap(({ studentIds }) => studentIds), ...changed]);
  }

  /** Gives points. The entry is in `entries` when this returns. */
  give(entry: NewPoints): PointsEntry {
    const given = this.outbox.add({ kind: 'points', ...entry, logIds: [], refusedIds: [], stuckIds: [] });
    for (const old of this.#entries.slice(listedEntriesMax)) {
      if (!mustBeKept(old)) this.outbox.change(old.key, () => []);
    }
    return given;
  }

  setNote(key: string, note: string | null): void {
    this.outbox.change(key, (entry) =>
      isPointsEntry(entry) && entry.state === 'done' ? [{ ...entry, note }] : null,
    );
  }

  #publish(all: readonly EntryChange[]): void {
    const changes = all.flatMap(({ was, entry }) =>
      isPointsEntry(entry) ? [{ was: isPointsEntry(was) ? was : undefined, entry }] : [],
    );
    if (changes.length === 0) return;
    this.#entries = this.outbox.entries.filter(isPointsEntry).toReversed();
    this.#pending = pendingChanges(this.#entries);
    this.#revision++;
    for (const { was, entry } of changes) {
      // Skips entries that are certainly unsent, because the server's totals still lack them.
      if (isCertainlyUnsent(entry) && (!was || isCertainlyUnsent(was))) continue;
      for (const id of entry.studentIds) this.#changedAtRevision.set(id, this.#revision);
      const saved = was && savedPointsBetween(was, entry);
      if (saved) this.#onSaved(saved);
    }
    for (const listener of this.#listeners) listener(changes);
  }
}
