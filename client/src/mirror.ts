import type { CallOptions, Clock } from './call.ts';
import type { Change } from './changes.ts';
import { CursorTooOldError } from './errors.ts';
import type {
  Changes,
  Class,
  GetChangesQuery,
  Grade,
  Ping,
  ScoreChanged,
  ScoreRecord,
  Student,
  Template,
} from './generated/types.ts';

/** Records without derived fields. Sum totals over the point records; take names from student, class and grade. */
export interface MirroredThings {
  readonly student: Omit<Student, (typeof derivedFields.student)[number]>;
  readonly score: Omit<ScoreRecord, (typeof derivedFields.score)[number]>;
  readonly grade: Grade;
  readonly class: Omit<Class, (typeof derivedFields.class)[number]>;
  readonly template: Template;
}

export type MirroredType = keyof MirroredThings;

/** The current state of one record: replace your copy of this type and id, or delete it when `record` is null. */
export type MirrorChange = {
  readonly [T in MirroredType]: {
    readonly type: T;
    readonly id: number;
    readonly record: MirroredThings[T] | null;
  } & (T extends 'score' ? Pick<ScoreChanged, 'because'> : object);
}[MirroredType];

export interface MirrorBatch {
  /** True when the mirror starts or restarts: first delete everything that is stored. */
  readonly begins: boolean;
  /** Apply the changes in this order. A deleted record may never have been stored. */
  readonly changes: readonly MirrorChange[];
  /** The place to continue from. Store it with the changes, and return it from `load`. */
  readonly place: string;
  /** Whether the store is now up to date. Until then, records may be missing. */
  readonly isComplete: boolean;
}

export interface MirrorStore {
  /** Returns the place that `apply` stored last; null before the first. */
  load(): string | null | Promise<string | null>;
  /** Stores a batch with its place in one transaction. If this throws, `mirror` throws; the next run sends it again. */
  apply(batch: MirrorBatch): void | Promise<void>;
}

export interface MirrorOptions extends CallOptions {
  /** Types to mirror; by default all that the credential is allowed to list. */
  readonly types?: readonly MirroredType[] | undefined;
  /** Pause at the end of the feed before the next request; null ends the mirror when it is up to date. */
  readonly pollMs?: number | null | undefined;
}

export interface MirrorSource {
  ping(query: object, options: CallOptions): Promise<Pick<Ping, 'token'>>;
  getChanges(query: GetChangesQuery, options: CallOptions): Promise<Changes>;
  list(type: MirroredType, after: string, options: CallOptions): Promise<MirrorPage>;
}

export interface MirrorPage {
  readonly list: readonly { readonly id: number }[];
  readonly nextCursor?: string | null;
}

const derivedFields = {
  student: ['className', 'gradeId', 'gradeName', 'totalScore', 'addScore', 'deductScore', 'scoreCount'],
  score: ['username', 'actualName', 'classId', 'className', 'gradeId', 'gradeName'],
  grade: [],
  class: ['gradeName'],
  template: [],
} as const satisfies Record<Change['type'], readonly string[]>;

const permissions: Readonly<Record<MirroredType, string>> = {
  grade: 'structure:read',
  class: 'structure:read',
  student: 'students:read',
  template: 'templates:read',
  score: 'scores:read',
};

interface MirrorPosition {
  readonly types: readonly MirroredType[];
  /** The feed's cursor. While lists are read, the cursor from before the first list. */
  readonly cursor: string;
  /** The list being read and the cursor in it; null when all are read. */
  readonly reading: { readonly type: MirroredType; readonly after: string } | null;
}

export async function mirror(
  source: MirrorSource,
  store: MirrorStore,
  { types: wanted, pollMs = null, ...options }: MirrorOptions,
  clock: Clock,
): Promise<void> {
  const types = wanted ?? (await listableTypes(source, options));
  if (types.length === 0) throw new TypeError('The credential may not list any of the mirrored types');
  const save = (
    place: MirrorPosition,
    changes: readonly MirrorChange[],
    more: { begins?: true; isComplete?: true } = {},
  ) => store.apply({ begins: false, isComplete: false, ...more, changes, place: JSON.stringify(place) });

  /** Takes the cursor before reading the lists, so the feed repeats changes that are made meanwhile. */
  const begin = async (): Promise<MirrorPosition> => {
    const { cursor } = await source.getChanges({ types }, options);
    const place = { types, cursor, reading: { type: types[0] as MirroredType, after: '' } };
    await save(place, [], { begins: true });
    return place;
  };

  const readLists = async (from: MirrorPosition): Promise<MirrorPosition> => {
    let place = from;
    while (place.reading) {
      const { type, after } = place.reading;
      const { list, nextCursor } = await source.list(type, after, options);
      const next = types[types.indexOf(type) + 1];
      const following = next === undefined ? null : { type: next, after: '' };
      place = { ...place, reading: nextCursor ? { type, after: nextCursor } : following };
      await save(
        place,
        list.map((record) => toMirrorChange(type, record.id, record)),
      );
    }
    return place;
  };

  const follow = async (from: MirrorPosition): Promise<void> => {
    let place = from;
    for (;;) {
      const { list, cursor, hasMore } = await source.getChanges({ after: place.cursor, types }, options);
      place = { ...place, cursor };
      const changes = list.map((change) => {
        const { type, id, record } = change;
        return toMirrorChange(type, id, record, type === 'score' ? change.because : undefined);
      });
      await save(place, changes, hasMore ? {} : { isComplete: true });
      if (hasMore) continue;
      if (pollMs === null) return;
      await clock.sleep(pollMs, options.signal);
    }
  };

  const kept = parsePosition(await store.load());
  // Starts again if the types differ from the stored ones, because the feed has skipped changes of new types.
  let place = kept && hasSameTypes(kept.types, types) ? kept : null;
  for (;;) {
    try {
      place = await readLists(place ?? (await begin()));
      return await follow(place);
    } catch (error) {
      if (!(error instanceof CursorTooOldError)) throw error;
      place = null;
    }
  }
}

async function listableTypes(source: MirrorSource, options: CallOptions): Promise<MirroredType[]> {
  const { token } = await source.ping({}, options);
  const all = Object.keys(permissions) as MirroredType[];
  return all.filter((type) => (token.scopes as readonly string[]).includes(permissions[type]));
}

const hasSameTypes = (some: readonly string[], others: readonly string[]) =>
  some.toSorted().join() === others.toSorted().join();

function toMirrorChange(
  type: MirroredType,
  id: number,
  record: object | null,
  because?: ScoreChanged['because'],
): MirrorChange {
  const others: readonly string[] = derivedFields[type];
  const own = record && Object.fromEntries(Object.entries(record).filter(([name]) => !others.includes(name)));
  return { type, id, record: own, ...(because && { because }) } as MirrorChange;
}

/** @throws TypeError for an invalid place, because a store that lost its place must not count as new */
function parsePosition(kept: string | null): MirrorPosition | null {
  if (kept === null || kept === undefined) return null;
  try {
    const place = JSON.parse(kept) as MirrorPosition;
    if (Array.isArray(place.types) && typeof place.cursor === 'string' && place.cursor !== '') return place;
  } catch {
    // The error below reports the invalid place.
  }
  throw new TypeError('load() returned a text that mirror() did not store as its place');
}
