import { type Attempt, type UnknownOutcome, updateForRefusal } from './attempt.ts';
import {
  type Entry,
  type EntryChange,
  type EntryUpdate,
  isMarkEntry,
  isUnsettled,
  type MarkEntry,
  type NewEntry,
  newDelivery,
  noAttempts,
} from './entry.ts';

export interface MarkPorts {
  readonly mark: (mark: MarkEntry) => Promise<Attempt<unknown>>;
  readonly now: () => number;
  readonly newKey: () => string;
}

/** A saved mark stays stored for this long, so that other pages can read its answer. */
const answerShownMs = 5_000;

export function studentIdsOf({ body }: Pick<MarkEntry, 'body'>): readonly number[] {
  return 'againIds' in body ? [...body.userIds, ...(body.againIds ?? [])] : body.userIds;
}

/** Returns whether an entry must be sent after another one: marks of the same kind, day and student. */
export function mustWaitFor(entry: NewEntry, other: Entry): boolean {
  if (!('body' in entry) || !isMarkEntry(other)) return false;
  if (entry.kind !== other.kind || entry.body.day !== other.body.day) return false;
  const ids = studentIdsOf(other);
  return studentIdsOf(entry).some((id) => ids.includes(id));
}

export async function sendMark(sent: MarkEntry, ports: MarkPorts): Promise<EntryUpdate | UnknownOutcome> {
  const attempt = await ports.mark(sent);
  if (attempt.outcome === 'unknown') return attempt;
  if (attempt.outcome === 'answered') {
    const done = { state: 'done', ...noAttempts, notBefore: ports.now() + answerShownMs } as const;
    return (mark) => [{ ...mark, ...done, answer: attempt.answer }];
  }
  const refuse = updateForRefusal(sent, attempt.problem);
  if (sent.kind === 'picks' || sent.body.userIds.length === 1) return refuse;
  // If one student has left the class, the server refuses all, so each student gets a mark of their own.
  return (mark) =>
    refuse(mark) &&
    sent.body.userIds.map((id) => {
      const body = { ...sent.body, userIds: [id] };
      return { ...sent, ...newDelivery, doubt: sent.doubt, key: ports.newKey(), body };
    });
}

/** Returns whether the change saved the mark, or ended it without saving; null for other changes. */
export function markResultOf({ was, entry, isGone }: EntryChange): 'saved' | 'dropped' | null {
  if (!was || was.state === 'done') return null;
  if (entry.state === 'done') return 'saved';
  return isGone || (isUnsettled(was) && !isUnsettled(entry)) ? 'dropped' : null;
}
