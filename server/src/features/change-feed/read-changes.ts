import { createHash } from 'node:crypto';
import {
  type Change,
  type ChangeAction,
  type ChangeType,
  Class,
  changeTypes,
  type Data,
  type ExternalOperations,
  Grade,
  limits,
  type Permission,
  permissionOfChange,
  ScoreRecord,
  Student,
  Template,
} from '@classledger/contract';
import { sql } from 'kysely';
import type { TObject } from 'typebox';
import type { SchoolData } from '../../access/school-data.ts';
import { AppError } from '../../errors/app-error.ts';
import { mapNames } from '../../fields/fields.ts';
import { identityFields } from '../../fields/students.ts';
import { findClosed, findRevoked, scoresByIds } from '../scores/list-scores.ts';
import { classesByIds } from '../structure/classes.ts';
import { gradesByIds } from '../structure/grades.ts';
import { studentsByIds } from '../students/list-students.ts';
import { templatesByIds } from '../templates/templates.ts';
import { type Cursor, type FeedState, formatCursor, parseUsableCursor } from './cursor.ts';

interface RecordKind {
  readonly schema: TObject;
  readonly read: (data: SchoolData, ids: readonly number[]) => Promise<readonly { readonly id: number }[]>;
}

const kinds: Readonly<Record<ChangeType, RecordKind>> = {
  student: { schema: Student, read: studentsByIds },
  score: { schema: ScoreRecord, read: scoresByIds },
  grade: { schema: Grade, read: gradesByIds },
  class: { schema: Class, read: classesByIds },
  template: { schema: Template, read: templatesByIds },
};

type Records = ReadonlyMap<number, object>;

interface FoundRecords {
  readonly records: ReadonlyMap<ChangeType, Records>;
  readonly revoked: ReadonlySet<number>;
  /** Point records of closed terms. */
  readonly closed: ReadonlySet<number>;
}

/** Reads changed records, without those that the external API's lists hide. */
export async function lookUpRecords(
  data: SchoolData,
  references: readonly { readonly type: ChangeType; readonly id: number }[],
): Promise<FoundRecords> {
  const records = new Map<ChangeType, Records>();
  const byType = Map.groupBy(references, ({ type }) => type);
  for (const [type, some] of byType) {
    const { schema: shown, read } = kinds[type];
    const names = Object.keys(shown.properties);
    const ids = some.map(({ id }) => id);
    const rows = await read(data, ids);
    const fieldsOf = (row: object) =>
      Object.fromEntries(names.map((name) => [name, (row as Readonly<Record<string, unknown>>)[name]]));
    records.set(type, new Map(rows.map((row) => [row.id, fieldsOf(row)])));
  }
  const scores = (byType.get('score') ?? []).map(({ id }) => id);
  const gone = scores.filter((id) => !records.get('score')?.has(id));
  if (gone.length === 0) return { records, revoked: new Set(), closed: new Set() };
  const [revoked, closed] = await Promise.all([findRevoked(data, gone), findClosed(data, gone)]);
  return { records, revoked, closed };
}

/** Returns the fields that say why an entry is `deleted`. */
export const reasonOf = (type: ChangeType, id: number, closed: ReadonlySet<number>) =>
  type === 'score' && closed.has(id) ? { because: 'termClosed' } : {};

export interface FeedQuery {
  readonly permissions: ReadonlySet<Permission>;
  /** Undefined or empty asks for the current cursor. */
  readonly after?: string | undefined;
  readonly types?: readonly ChangeType[] | undefined;
  readonly limit?: number | undefined;
  readonly now: Date;
}

type Changes = Data<ExternalOperations['getChanges']>;

/** Limits the rows scanned per answer. Rows outside the range count, because they take time too. */
const rowsMax = 10_000;

/**
 * Returns records as they are now. A caller that applies the entries in order has the same records as the lists.
 * @throws AppError permission_denied (the caller may read none of the types), invalid_value, cursor_expired
 */
export async function readChanges(data: SchoolData, query: FeedQuery): Promise<Changes> {
  const types = (query.types ?? changeTypes).filter((type) =>
    query.permissions.has(permissionOfChange[type]),
  );
  if (types.length === 0) {
    const needed = new Set((query.types ?? changeTypes).map((type) => permissionOfChange[type]));
    const lacking = [...needed].join(' or ');
    throw new AppError('permission_denied', `The credential may read none of this: it lacks ${lacking}`);
  }
  const { epoch, horizon } = await readFeedPosition(data);
  const here = { epoch, range: data.range, types };
  const now = { ...here, xid: horizon, number: 0n, position: 0, at: query.now.getTime() };
  if (!query.after) return { list: [], cursor: formatCursor(now), hasMore: false };

  const from = { ...parseUsableCursor(query.after, { ...here, horizon, now: query.now }), types };
  const limit = Math.min(query.limit ?? limits.changesDefault, limits.changesMax);
  const rows = await readRows(data, from, horizon, limit);
  const { entries, end } = takeEntries(rows, limit);
  const next = end ?? (await scanEnd(data, from, horizon));
  const list = await buildChanges(data, entries);
  // Takes the earliest time: servers' clocks differ, so a later row can have an earlier time.
  const at = Math.min(now.at, next?.at ?? (await firstHeldBackAt(data, horizon)) ?? now.at);
  return { list, cursor: formatCursor({ ...now, ...next, at }), hasMore: next !== null };
}

/** Changes below the horizon are final. A new epoch starts when transaction ids can repeat, as after a restore. */
async function readFeedPosition(data: SchoolData): Promise<Pick<FeedState, 'epoch' | 'horizon'>> {
  const [found] = await data.run<{ horizon: string; of: string }>(
    `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon,
      concat_ws(' ', (pg_control_system()).system_identifier, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8),
        (SELECT oid FROM pg_database WHERE datname = current_database()), obj_description(to_regclass('change'), 'pg_class')) AS of`,
    [],
  );
  const { horizon, of } = found as { horizon: string; of: string };
  return { horizon: BigInt(horizon), epoch: createHash('sha256').update(of).digest('hex').slice(0, 16) };
}

interface Row {
  readonly xid: string;
  readonly number: string;
  readonly type: ChangeType;
  /** Ids of changed records that earlier answers did not include; at most one more than the limit. */
  readonly ids: readonly number[];
  readonly answeredCount: number;
  readonly at: string;
  readonly was: boolean;
  readonly is: boolean;
  readonly keys: Readonly<Record<string, unknown>> | null;
}

/** Has no limit on age, because a row that was held back by a running transaction can have any age. */
const rowsAfter = (data: SchoolData, { xid, number, position }: Cursor, horizon: bigint) => sql`
  FROM change n
  WHERE n.school_id = ${data.schoolId} AND n.xid < ${String(horizon)}::xid8
    AND (n.xid, n.number) >= (${String(xid)}::xid8, ${String(number)}::bigint)
    AND (n.xid, n.number, cardinality(n.ids)) > (${String(xid)}::xid8, ${String(number)}::bigint, ${position}::int)
  ORDER BY n.xid, n.number LIMIT ${sql.lit(rowsMax)}`;

/** Returns the condition that the range covers a change before or after it. Expects the alias `n` for `change`. */
export function isCovered({ range, schoolId }: SchoolData, when: 'before' | 'after') {
  const [grade, ofClass] = [sql.ref(`n.grade_${when}`), sql.ref(`n.class_${when}`)];
  const { gradeId, classId } = range;
  // `along` marks records that only moved with their class or grade, so they stay in the whole school's range.
  if (gradeId === null && classId === null) return sql`${grade} IS NOT NULL AND NOT n.along`;
  const own = classId === null ? sql`${grade} = ${gradeId}` : sql`${ofClass} = ${classId}`;
  const shared = sql`${ofClass} IS NULL AND n.type = 'template' AND ${grade} = 0`;
  if (classId === null) return sql`coalesce(${own} OR ${shared}, false)`;
  // A range of one class includes the class's grade.
  const itsGrade = sql`${ofClass} IS NULL AND n.type = 'grade' AND ${grade} = (
    SELECT own.grade_id FROM class own WHERE own.school_id = ${schoolId} AND own.id = ${classId})`;
  return sql`coalesce(${own} OR ${shared} OR ${itsGrade}, false)`;
}

function readRows(data: SchoolData, from: Cursor, horizon: bigint, limit: number): Promise<Row[]> {
  const answered = sql`CASE WHEN n.xid = ${String(from.xid)}::xid8 AND n.number = ${String(from.number)}::bigint
    THEN ${from.position}::int ELSE 0 END`;
  return data.execute(sql<Row>`
    SELECT n.xid::text, n.number::text, n.type, to_json(n.ids[answered + 1 : answered + ${sql.lit(limit + 1)}]) AS ids, answered AS "answeredCount", n.created_at AS at,
      was, "is", n.keys
    FROM (SELECT * ${rowsAfter(data, from, horizon)}) AS n,
      LATERAL (SELECT ${answered} AS answered, ${isCovered(data, 'before')} AS was, ${isCovered(data, 'after')} AS "is") AS seen
    WHERE n.type = ANY(${from.types}::text[]) AND (was OR "is") AND NOT (n.along AND was = "is")
    ORDER BY n.xid, n.number LIMIT ${sql.lit(limit + 1)}`);
}

type FeedPosition = Pick<Cursor, 'xid' | 'number' | 'position' | 'at'>;

const positionIn = (
  { xid, number, at }: Pick<Row, 'xid' | 'number' | 'at'>,
  position: number,
): FeedPosition => ({
  xid: BigInt(xid),
  number: BigInt(number),
  position,
  at: Date.parse(at),
});

interface FeedEntry {
  readonly row: Row;
  readonly id: number;
}

/** Returns as `end` the position of the last id taken, or null when no ids are left. */
function takeEntries(
  rows: readonly Row[],
  limit: number,
): { entries: FeedEntry[]; end: FeedPosition | null } {
  const entries: FeedEntry[] = [];
  for (const row of rows) {
    const left = limit - entries.length;
    for (const id of row.ids.slice(0, left)) entries.push({ row, id });
    if (row.ids.length > left) {
      const previous = entries.at(-1)?.row;
      const end = left > 0 || !previous ? positionIn(row, row.answeredCount + left) : positionAfter(previous);
      return { entries, end };
    }
  }
  return { entries, end: null };
}

const positionAfter = (row: Row): FeedPosition => positionIn(row, row.answeredCount + row.ids.length);

/** Returns null unless the scan reached its limit. */
async function scanEnd(data: SchoolData, from: Cursor, horizon: bigint): Promise<FeedPosition | null> {
  const [edge] = await data.execute(sql<Row & { size: number }>`
    SELECT n.xid::text, n.number::text, cardinality(n.ids) AS size, n.created_at AS at
    FROM (SELECT * ${rowsAfter(data, from, horizon)}) AS n OFFSET ${sql.lit(rowsMax - 1)}`);
  return edge ? positionIn(edge, edge.size) : null;
}

/** Returns the time of the first change that a running transaction holds back; the cursor expires with that change. */
async function firstHeldBackAt(data: SchoolData, horizon: bigint): Promise<number | null> {
  const [first] = await data.execute(sql<{ at: string }>`
    SELECT n.created_at AS at FROM change n WHERE n.school_id = ${data.schoolId} AND n.xid >= ${String(horizon)}::xid8
    ORDER BY n.xid, n.number LIMIT 1`);
  return first ? Date.parse(first.at) : null;
}

interface Outcome {
  readonly type: ChangeType;
  readonly id: number;
  readonly at: string;
  readonly entered: boolean;
  readonly left: Row | null;
}

async function buildChanges(data: SchoolData, entries: readonly FeedEntry[]): Promise<Change[]> {
  const outcomes = new Map<string, Outcome>();
  for (const { row, id } of entries) {
    const { type, at, was, is } = row;
    const name = `${type} ${id}`;
    const earlier = outcomes.get(name);
    outcomes.delete(name);
    const left = was && !is ? row : (earlier?.left ?? null);
    outcomes.set(name, { type, id, at, entered: earlier?.entered ?? !was, left });
  }
  const { records, revoked, closed } = await lookUpRecords(data, [...outcomes.values()]);
  return [...outcomes.values()].flatMap(({ type, id, at, entered, left }): Change[] => {
    const record = records.get(type)?.get(id) ?? null;
    // Skips a missing record that these rows do not remove, because another answer reports its removal.
    if (record === null && left === null) return [];
    const action: ChangeAction = record
      ? entered
        ? 'created'
        : 'updated'
      : type === 'score' && revoked.has(id)
        ? 'revoked'
        : 'deleted';
    const tombstone = record ? null : tombstoneOf(type, id, left);
    return [{ type, action, id, at, record, tombstone, ...reasonOf(type, id, closed) } as Change];
  });
}

/** Allows missing names, because erasing a student also removes the names from the feed. */
function tombstoneOf(type: ChangeType, id: number, left: Row | null) {
  const { keys } = left ?? {};
  if (type === 'score') return keys;
  const names = (keys?.[id] ?? {}) as Readonly<Record<string, unknown>>;
  if (type !== 'student') return { name: names.name ?? null };
  return mapNames(identityFields, (field) => names[field] ?? null);
}
