import {
  Absence,
  type AttendanceSheet,
  type Body,
  dayAt,
  dayNumberOf,
  dayText,
  type InternalOperations,
  limits,
  type Picks,
  type Query,
  type StudentTotals,
} from '@classledger/contract';
import { sql } from 'kysely';
import Type from 'typebox';
import type { SchoolData } from '../../access/school-data.ts';
import { lockClass, requireOpenClass, requireStudent } from '../../access/targets.ts';
import { anyOf } from '../../database/expressions.ts';
import { ListResult, limitClause } from '../../database/page.ts';
import { invalidValue, studentErased } from '../../errors/app-error.ts';
import { selectionOf } from '../../fields/fields.ts';
import { studentFields } from '../../fields/students.ts';
import { type KeyClaim, type KeysInUse, ReplayedAnswer } from '../../idempotency/idempotency-keys.ts';
import { type Author, emptyEntry } from '../scores/ledger/plan.ts';
import type { ScoreLedger } from '../scores/ledger/score-ledger.ts';
import { readAuthors } from '../scores/list-scores.ts';
import { totalsOf } from '../scores/write-scores.ts';

/* Present students have no row in `absence`. Students who change class keep their absences. */

const readSchoolDay = async (data: SchoolData, at: Date) => dayAt(await data.timeZone(), at.getTime());

/** Reads the attendance of a class on one day, by default today. The caller checks that the class is in the range. */
export async function readAttendanceSheet(
  data: SchoolData,
  { classId, day }: { readonly classId: number; readonly day?: string | undefined },
  at: Date,
): Promise<AttendanceSheet> {
  const now = await readSchoolDay(data, at);
  const shown = day ?? now;
  const marks = await data
    .students()
    .innerJoin('absence as a', (join) =>
      join.onRef('a.school_id', '=', 's.school_id').onRef('a.student_id', '=', 's.id'),
    )
    .where('s.class_id', '=', classId)
    .where('a.day', '=', shown)
    .select(['a.student_id as userId', 'a.state', 'a.marked_at as markedAt'])
    .orderBy('a.student_id')
    .execute();
  return { classId, day: shown, today: now, absences: marks };
}

/**
 * Stores the state of students on one day and replaces an earlier state. Must run in a transaction.
 * @throws AppError not_found, out_of_range, invalid_value (class, day), conflict (erased, archived)
 */
export async function markAttendance(
  data: SchoolData,
  { classId, day, state, userIds }: Body<InternalOperations['markAttendance']>,
  admin: { readonly id: number },
  at: Date,
): Promise<AttendanceSheet> {
  const now = await readSchoolDay(data, at);
  const marked = day ?? now;
  const oldest = dayText(dayNumberOf(now) - limits.attendanceDaysBack);
  if (marked > now) throw invalidValue('day must not be in the future');
  if (marked < oldest) throw invalidValue(`day must be ${oldest} or later`);
  const ids = [...new Set(userIds)];
  // Locks students, so that no other call erases or moves them meanwhile.
  await data.lockStudents((students) => students.where('id', '=', anyOf(ids)));
  await lockClass(data, classId);
  const found = await data
    .students()
    .where('s.class_id', '=', classId)
    .where('s.id', '=', anyOf(ids))
    .select(['s.id', 's.erased_at as erasedAt'])
    .execute();
  if (found.some(({ erasedAt }) => erasedAt !== null)) throw studentErased();
  const inClass = new Set(found.map(({ id }) => id));
  for (const id of ids) {
    if (inClass.has(id)) continue;
    await requireStudent(data, id);
    throw invalidValue(`Student ${id} is not in class ${classId}`);
  }
  if (state === 'present') {
    await data.deleteFrom('absence').where('day', '=', marked).where('student_id', '=', anyOf(ids)).execute();
  } else {
    await data.execute(sql`
      INSERT INTO absence AS a (school_id, student_id, day, state, admin_id, marked_at)
      SELECT ${data.schoolId}::bigint, id, ${marked}::date, ${state}::text, ${admin.id}::bigint,
        ${at.toISOString()}::timestamptz
      FROM unnest(${ids}::bigint[]) AS id
      ON CONFLICT (school_id, student_id, day) DO UPDATE
        SET state = excluded.state, admin_id = excluded.admin_id, marked_at = excluded.marked_at
        WHERE a.state <> excluded.state`);
  }
  return readAttendanceSheet(data, { classId, day: marked }, at);
}

interface ScoreServices {
  readonly ledger: ScoreLedger;
  readonly keysInUse: KeysInUse;
}

/**
 * Gives points at most once per student and day, so callers can repeat the call after any error.
 * @throws AppError not_found, out_of_range, conflict (another call gives the same points), errors of the ledger
 */
export async function giveForAttendance(
  services: ScoreServices,
  data: SchoolData,
  { classId, description = '', ...points }: Body<InternalOperations['giveForAttendance']>,
  author: Author,
  at: Date,
) {
  await requireOpenClass(data, classId);
  const day = await readSchoolDay(data, at);
  const students = await data
    .students()
    .leftJoin('absence as a', (join) =>
      join.onRef('a.school_id', '=', 's.school_id').onRef('a.student_id', '=', 's.id').on('a.day', '=', day),
    )
    .where('s.class_id', '=', classId)
    .where('s.disabled', '=', false)
    .select(['s.id', 'a.state'])
    .orderBy('s.id')
    .execute();
  const written = await Promise.all(
    students.flatMap(({ id, state }) => {
      const change = points[state ?? 'present'];
      return change === undefined
        ? []
        : [givePointsOnce(services, data, { id, change, description, day }, author, at)];
    }),
  );
  const given = written.filter((totals) => totals !== null);
  return { given: given.length, alreadyGiven: written.length - given.length, students: given };
}

/** Returns null when the student already had the points of this day. */
async function givePointsOnce(
  { ledger, keysInUse }: ScoreServices,
  data: SchoolData,
  { id, change, description, day }: { id: number; change: number; description: string; day: string },
  author: Author,
  at: Date,
): Promise<StudentTotals | null> {
  const key: KeyClaim = {
    schoolId: data.schoolId,
    // All administrators share the key, so that two of them cannot give a student the points of a day twice.
    owner: 'attendance',
    key: `${day} ${id}`,
    endpoint: 'attendance',
    requestId: crypto.randomUUID(),
    secret: null,
  };
  const entry = { ...emptyEntry, studentId: id, change, description };
  const answer = await keysInUse.runWithKey(key, data, () =>
    ledger.write({
      ...{ range: data.range, author, at, key, entries: [entry], allOrNothing: true, includeStudents: true },
      answer: (_outcomes, students) => {
        const student = students.get(id);
        if (!student) throw new Error('The ledger returned no totals for the student');
        return totalsOf(student);
      },
    }),
  );
  return answer instanceof ReplayedAnswer ? null : answer;
}

const absences = selectionOf(
  {
    ...studentFields,
    id: { read: 'a.id', type: 'bigint' },
    day: { read: 'a.day', type: 'date' },
    userId: { read: 's.id', type: 'bigint' },
    state: { read: 'a.state', type: 'text' },
    markedAt: { read: 'a.marked_at', type: 'timestamptz' },
  },
  Type.Omit(Absence, ['markedBy']),
).with({ adminId: sql<number | null>`a.admin_id` });

export async function listAbsences(
  data: SchoolData,
  query: Query<InternalOperations['listAbsences']>,
  slice: { readonly offset: number; readonly limit: number },
): Promise<ListResult<Absence>> {
  const { userId, classId, gradeId, state, fromDay, toDay } = query;
  const matching = data.fromStudents(
    [
      userId === undefined ? undefined : sql`s.id = ${userId}`,
      classId === undefined ? undefined : sql`s.class_id = ${classId}`,
      gradeId === undefined ? undefined : sql`c.grade_id = ${gradeId}`,
      state === undefined ? undefined : sql`a.state = ${state}`,
      fromDay === undefined ? undefined : sql`a.day >= ${fromDay}::date`,
      toDay === undefined ? undefined : sql`a.day <= ${toDay}::date`,
    ],
    sql`JOIN absence a ON a.school_id = s.school_id AND a.student_id = s.id`,
  );
  const [counted] = await data.execute(sql<{ total: number }>`SELECT count(*) AS total ${matching}`);
  const rows = await data.execute(
    absences.select(sql`${matching} ORDER BY a.day DESC, s.actual_name, a.id ${limitClause(slice)}`),
  );
  return new ListResult(await withMarkers(data, rows), counted?.total ?? 0);
}

export async function readAbsencesOfStudent(data: SchoolData, studentId: number) {
  const rows = await data
    .selectFrom('absence')
    .where('student_id', '=', studentId)
    .select(['day', 'state', 'marked_at as markedAt', 'admin_id as adminId'])
    .orderBy('day')
    .execute();
  return withMarkers(data, rows);
}

async function withMarkers<Row extends { readonly adminId: number | null }>(
  data: SchoolData,
  rows: readonly Row[],
) {
  const authorOf = await readAuthors(data, rows);
  return rows.map(({ adminId, ...row }) => ({ ...row, markedBy: authorOf(adminId) }));
}

/* A pick is today's date in the student's row. The pick moves with the student and is void the next day. */

export async function readPicks(data: SchoolData, classId: number, at: Date): Promise<Picks> {
  const day = await readSchoolDay(data, at);
  const ofClass = data.students().where('s.class_id', '=', classId);
  const picked = await ofClass.where('s.picked_on', '=', day).select('s.id').orderBy('s.id').execute();
  return { classId, day, userIds: picked.map(({ id }) => id) };
}

/** Stores picks of today; ignores those of a past day. @throws AppError not_found, out_of_range, conflict (archived) */
export async function markPicks(
  data: SchoolData,
  { classId, day, userIds, againIds = [] }: Body<InternalOperations['markPicks']>,
  at: Date,
): Promise<Picks> {
  const named = [...new Set([...userIds, ...againIds])];
  await data.lockStudents((students) => students.where('id', '=', anyOf(named)));
  await lockClass(data, classId);
  const picks = await readPicks(data, classId, at);
  if (picks.day !== day || named.length === 0) return picks;
  await data.execute(sql`
    UPDATE student SET picked_on = CASE WHEN id = ANY(${userIds}::bigint[]) THEN ${day}::date END
    WHERE school_id = ${data.schoolId} AND class_id = ${classId} AND id = ANY(${named}::bigint[])
      AND erased_at IS NULL`);
  return readPicks(data, classId, at);
}
