import type { ListedStudent } from '@classledger/contract';
import { call, newIdempotencyKey } from '../../../../api/call.ts';
import { type InitialPassword, initialPasswordOf } from '../../passwords/initial-password.ts';

export type BulkKind = 'move' | 'enable' | 'disable' | 'resetPasswords' | 'delete';

export interface BulkAction {
  readonly kind: BulkKind;
  readonly students: readonly ListedStudent[];
  readonly classId: number | null;
  /** For `resetPasswords`: true keeps passwords that students have chosen themselves. */
  readonly onlyInitial: boolean;
}

interface BulkGroup {
  readonly students: readonly ListedStudent[];
  /** Idempotency key of a request that makes passwords, because a lost answer would lose them; otherwise empty. */
  readonly key: string;
}

/** Making this many passwords takes about a second. */
const passwordsAtOnce = 20;

const singleGroup = (student: ListedStudent): BulkGroup => ({ students: [student], key: '' });

/** Splits an order into requests. A request fails as a whole, so erased students, who get no password, go alone. */
export function bulkGroupsOf(kind: BulkKind, students: readonly ListedStudent[]): BulkGroup[] {
  if (kind !== 'resetPasswords') return students.map(singleGroup);
  const erased = students.filter((student) => student.erased);
  const present = students
    .filter((student) => !student.erased)
    .toSorted((one, other) => one.gradeId - other.gradeId || one.classId - other.classId);
  const groups = [...Map.groupBy(present, ({ classId }) => classId).values()].flatMap((own) =>
    Array.from({ length: Math.ceil(own.length / passwordsAtOnce) }, (_, n) => ({
      students: own.slice(n * passwordsAtOnce, (n + 1) * passwordsAtOnce),
      key: newIdempotencyKey(),
    })),
  );
  return [...groups, ...erased.map((student) => ({ ...singleGroup(student), key: newIdempotencyKey() }))];
}

export async function runBulkGroup(
  schoolDb: string,
  { kind, classId, onlyInitial }: Omit<BulkAction, 'students'>,
  { students, key }: BulkGroup,
): Promise<InitialPassword[]> {
  const [first] = students;
  if (kind === 'resetPasswords' && first) {
    const userIds = students.map(({ id }) => id);
    const body = { schoolDb, classId: first.classId, userIds, onlyInitial };
    const made = await call('resetUserPasswords', { body, idempotencyKey: key });
    const byId = new Map(made.students.map((one) => [one.id, one]));
    return students.flatMap((student) => {
      const own = byId.get(student.id);
      return own ? initialPasswordOf(student, own) : [];
    });
  }
  for (const { id } of students) {
    const params = { id };
    if (kind === 'delete') await call('deleteUser', { params, query: { schoolDb } });
    else if (kind !== 'move')
      await call('updateUser', { params, body: { schoolDb, disabled: kind === 'disable' } });
    else if (classId !== null) await call('updateUser', { params, body: { schoolDb, classId } });
  }
  return [];
}

type ItemOutcome<Item, Done> =
  | { readonly item: Item; readonly done: Done; readonly error?: undefined }
  | { readonly item: Item; readonly error: unknown };

export class StoppedByUser extends Error {}

interface RunOptions {
  readonly parallelMax: number;
  readonly onProgress: (finished: number) => void;
  readonly isStopped: () => boolean;
}

/** Runs `work` for each item, a few in parallel; a failure does not stop the others. Keeps the order of the items. */
export async function runEach<Item, Done>(
  items: readonly Item[],
  work: (item: Item) => Promise<Done>,
  { parallelMax, onProgress, isStopped }: RunOptions,
): Promise<ItemOutcome<Item, Done>[]> {
  const outcomes: ItemOutcome<Item, Done>[] = [];
  const queue = items.entries();
  let finished = 0;
  const worker = async () => {
    for (const [index, item] of queue) {
      try {
        if (isStopped()) throw new StoppedByUser();
        outcomes[index] = { item, done: await work(item) };
      } catch (error) {
        outcomes[index] = { item, error };
      }
      finished += 1;
      onProgress(finished);
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallelMax, items.length) }, worker));
  return outcomes;
}
