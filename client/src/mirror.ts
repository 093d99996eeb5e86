import type { CallOptions, Clock } from './call.ts';
import type { Change } from './changes.ts';
import { CursorTooOldError } from './errors.ts';
import type {
  Changes,
  Class,
  GetChangesQuery,
  Grade,
  Ping,
  ScoreRecord,
  Student,
  Template,
} from './generated/types.ts';

/**
 * The things of a mirror with the fields that are their own. What they show of others is left out, because the feed tells no change of it:
 * totals are sums over the score records, and names are those of the student, class and grade.
 */
export interface MirroredThings {
  readonly student: Omit<Student, (typeof borrowed.student)[number]>;
  readonly score: Omit<ScoreRecord, (typeof borrowed.score)[number]>;
  readonly grade: Grade;
  readonly class: Omit<Class, (typeof borrowed.class)[number]>;
  readonly template: Template;
}

export type MirroredType = keyof MirroredThings;

/** One thing as it is now: store its record in place of what you have under this type and id; null: forget it. */
export type MirrorChange = {
  readonly [T in MirroredType]: {
    readonly type: T;
    readonly id: number;
    readonly record: MirroredThings[T] | null;
  };
}[MirroredType];

/** What a store takes in one piece. */
export interface MirrorBatch {
  /** The mirror begins, or begins anew: first drop everything that is stored. */
  readonly begins: boolean;
  /** Apply them in this order. What is to be forgotten may never have been stored. */
  readonly changes: readonly MirrorChange[];
  /** The place to go on from. Store it with the changes, and give it back from `load`. */
  readonly place: string;
  /** Whether the store now holds all that was told. Until then lists are being read, and things may be missing. */
  readonly isComplete: boolean;
}

/** Where a mirror is kept: you write one for your database. */
export interface MirrorStore {
  /** Answers the place that `apply` stored last; null before the first. */
  load(): string | null | Promise<string | null>;
  /**
   * Stores a batch in one transaction: after a kill, changes and place are there, or neither. Not called again before it has ended. When
   * it throws, so does `mirror`, and the next run sends the same again.
   */
  apply(batch: MirrorBatch): void | Promise<void>;
}

export interface MirrorOptions extends CallOptions {
  /** What to keep; otherwise everything that the credential may list. */
  readonly types?: readonly MirroredType[] | undefined;
  /** How long to wait at the end of the feed before asking again; null: the mirror is up to date, and that is all. */
  readonly pollMs?: number | null | undefined;
}

/** What a mirror needs of the client. */
export interface MirrorSource {
  ping(query: object, options: CallOptions): Promise<Pick<Ping, 'token'>>;
  getChanges(query: GetChangesQuery, options: CallOptions): Promise<Changes>;
  list(type: MirroredType, after: string, options: CallOptions): Promise<MirrorPage>;
}

/** A page of a list that is read by cursors. */
export interface MirrorPage {
  readonly list: readonly { readonly id: number }[];
  readonly nextCursor?: string | null;
}

/** The fields of a thing that show something of another thing. */
const borrowed = {
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

/** Where a mirror stands. */
interface Place {
  readonly types: readonly MirroredType[];
  /** Of the feed; while lists are read, from before they were begun. */
  readonly cursor: string;
  /** The list that is being read, and the cursor in it; null once all are read. */
  readonly reading: { readonly type: MirroredType; readonly after: string } | null;
}

/** Brings a store up to date; see `Classledger.mirror`. */
export async function mirror(
  source: MirrorSource,
  store: MirrorStore,
  { types: wanted, pollMs = null, ...options }: MirrorOptions,
  clock: Clock,
): Promise<void> {
  const types = wanted ?? (await listable(source, options));
  if (types.length === 0) throw new TypeError('There is nothing that this credential may list');
  const save = (
    place: Place,
    changes: readonly MirrorChange[],
    more: { begins?: true; isComplete?: true } = {},
  ) => store.apply({ begins: false, isComplete: false, ...more, changes, place: JSON.stringify(place) });

  /** The cursor comes first: what changes while the lists are read comes once more with the feed. */
  const begin = async (): Promise<Place> => {
    const { cursor } = await source.getChanges({ types }, options);
    const place = { types, cursor, reading: { type: types[0] as MirroredType, after: '' } };
    await save(place, [], { begins: true });
    return place;
  };

  const readLists = async (from: Place): Promise<Place> => {
    let place = from;
    while (place.reading) {
      const { type, after } = place.reading;
      const { list, nextCursor } = await source.list(type, after, options);
      const next = types[types.indexOf(type) + 1];
      const following = next === undefined ? null : { type: next, after: '' };
      place = { ...place, reading: nextCursor ? { type, after: nextCursor } : following };
      await save(
        place,
        list.map((record) => changeOf(type, record.id, record)),
      );
    }
    return place;
  };

  const follow = async (from: Place): Promise<void> => {
    let place = from;
    for (;;) {
      const { list, cursor, hasMore } = await source.getChanges({ after: place.cursor, types }, options);
      place = { ...place, cursor };
      const changes = list.map(({ type, id, record }) => changeOf(type, id, record));
      await save(place, changes, hasMore ? {} : { isComplete: true });
      if (hasMore) continue;
      if (pollMs === null) return;
      await clock.sleep(pollMs, options.signal);
    }
  };

  const kept = placeIn(await store.load());
  // With other types the feed has passed over what they would need.
  let place = kept && sameTypes(kept.types, types) ? kept : null;
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

async function listable(source: MirrorSource, options: CallOptions): Promise<MirroredType[]> {
  const { token } = await source.ping({}, options);
  const all = Object.keys(permissions) as MirroredType[];
  return all.filter((type) => (token.scopes as readonly string[]).includes(permissions[type]));
}

const sameTypes = (some: readonly string[], others: readonly string[]) =>
  some.toSorted().join() === others.toSorted().join();

function changeOf(type: MirroredType, id: number, record: object | null): MirrorChange {
  const others: readonly string[] = borrowed[type];
  const own = record && Object.fromEntries(Object.entries(record).filter(([name]) => !others.includes(name)));
  return { type, id, record: own } as MirrorChange;
}

/** @throws TypeError for anything that is no place: a store that has lost its place must not seem to be new */
function placeIn(kept: string | null): Place | null {
  if (kept === null || kept === undefined) return null;
  try {
    const place = JSON.parse(kept) as Place;
    if (Array.isArray(place.types) && typeof place.cursor === 'string' && place.cursor !== '') return place;
  } catch {
    // Said below.
  }
  throw new TypeError('The store of the mirror gave back something that mirror() did not store as its place');
}
