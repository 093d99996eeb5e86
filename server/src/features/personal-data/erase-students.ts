import { randomInt } from 'node:crypto';
import { type InternalOperation, internalOperations } from '@classledger/contract';
import { sql } from 'kysely';
import { SchoolData } from '../../access/school-data.ts';
import { lockStudent, requireClass, requireStudent } from '../../access/targets.ts';
import {
  eraseNamesFromFeed,
  recordChangedScores,
  recordChangedStudents,
} from '../../changes/record-student-changes.ts';
import type { Database } from '../../database/connect.ts';
import { anyOf } from '../../database/expressions.ts';
import { countRows } from '../../database/page.ts';
import { conflict, outOfRange } from '../../errors/app-error.ts';
import { assignments } from '../../fields/fields.ts';
import { clearedFields, erasedIdentity, pseudonymFields, studentFields } from '../../fields/students.ts';
import { type ErasedStudent, eraseFromAnswers } from '../../idempotency/erased-answers.ts';
import { applyTotals } from '../scores/ledger/totals.ts';
import { TotalsDelta } from '../scores/ledger/totals-delta.ts';

/** Operations whose activity-log entries contain the id and the former username of a student. */
export const studentActions: readonly string[] = Object.values<InternalOperation>(internalOperations).flatMap(
  (operation) => ('activity' in operation && operation.activity?.subject === 'student' ? [operation.id] : []),
);

const personalTables = [
  'absence',
  'student_session',
  'student_event',
  'sign_in_code',
  'sign_in_identity',
  'import_effect',
  'import_row',
  'team_member',
  'promotion_student',
] as const;

/** Sums by category stay, like the points. */
export const erasedTables: readonly string[] = [
  ...personalTables,
  'score_record',
  'student_category',
  'term_standing',
  'seat',
];

type LockedStudent = Awaited<ReturnType<typeof lockNotErased>>[number];

/** Erases a student unless erased already. Must run in a transaction. @throws AppError not_found, out_of_range */
export async function eraseStudent(data: SchoolData, id: number, at: Date) {
  await lockStudent(data, id);
  await eraseLocked(data, await lockNotErased(data, [id]), at);
  const { username, classId } = await requireStudent(data, id);
  return { id, username, classId };
}

/** Erases a class's students. @throws AppError not_found, out_of_range, conflict (their number is not `expected`) */
export async function eraseClass(data: SchoolData, classId: number, expected: number, at: Date) {
  await requireClass(data, classId);
  const ids = await data.lockStudents((students) => students.where('class_id', '=', classId));
  const people = await lockNotErased(data, ids);
  // While the class is locked, no student can join or leave.
  await data.wholeSchool().lockClasses([classId]);
  const { name } = await requireClass(data, classId);
  const members = data.selectFrom('student').where('class_id', '=', classId);
  const students = await countRows(members.where('erased_at', 'is', null));
  if (students !== expected || people.length !== expected) {
    throw conflict(
      `The class has ${students} students that are not erased yet, but the request expects ${expected}`,
    );
  }
  await eraseLocked(data, people, at);
  return { id: classId, name, erased: people.length };
}

/** Locks students, then their classes, each by id. @returns the students that are not erased */
async function lockNotErased(data: SchoolData, ids: readonly number[]) {
  await data.lockStudents((students) => students.where('id', '=', anyOf(ids)));
  const people = await data
    .selectFrom('student')
    .where('id', '=', anyOf(ids))
    .where('erased_at', 'is', null)
    .select(['id', 'username', 'class_id as classId', 'disabled'])
    .orderBy('id')
    .execute();
  const classes = await data.lockClasses(people.map(({ classId }) => classId));
  if (people.some(({ classId }) => !classes.has(classId))) throw outOfRange('The student');
  return people;
}

const erasedColumns = sql.join([
  assignments(studentFields, pseudonymFields, () => 'n.pseudonym'),
  assignments(studentFields, clearedFields, () => 'NULL'),
]);

async function eraseLocked(data: SchoolData, people: readonly LockedStudent[], at: Date): Promise<void> {
  if (people.length === 0) return;
  const { schoolId } = data;
  const ids = people.map(({ id }) => id);
  const erased = await readErasedNames(data, people);
  const pseudonyms = erased.map(({ pseudonym }) => pseudonym);
  const named = sql`unnest(${ids}::bigint[], ${pseudonyms}::text[]) AS n (id, pseudonym)`;
  await data.execute(sql`
    UPDATE student s SET ${erasedColumns},
      password_hash = '', password_is_initial = false, password_is_shared = false, password_expires_at = NULL,
      disabled = true, disabled_at = coalesce(s.disabled_at, ${at.toISOString()}::timestamptz),
      erased_at = ${at.toISOString()}::timestamptz, updated_at = ${at.toISOString()}::timestamptz
    FROM ${named} WHERE s.school_id = ${schoolId} AND s.id = n.id`);
  const totals = new TotalsDelta('in');
  for (const { classId, disabled } of people) if (!disabled) totals.addDisabled(classId);
  await applyTotals(data, totals);
  for (const table of personalTables)
    await data.deleteFrom(table).where('student_id', '=', anyOf(ids)).execute();
  const emptied = await data
    .updateTable('score_record')
    .where('student_id', '=', anyOf(ids))
    .where((is) => is.or([is('description', '<>', ''), is('note', 'is not', null)]))
    .set({ description: '', note: null })
    .returning(['id', 'live'])
    .execute();
  await recordChangedStudents(data, at, ids);
  const changedScores = emptied.flatMap(({ id, live }) => (live ? id : []));
  await recordChangedScores(data, at, changedScores);
  await eraseNamesFromFeed(data, ids);
  await data.execute(sql`
    UPDATE webhook_delivery SET tombstone = ${JSON.stringify(erasedIdentity)}
    WHERE school_id = ${schoolId} AND type = 'student' AND tombstone IS NOT NULL AND thing_id = ANY(${ids}::bigint[])`);
  await data.execute(sql`
    UPDATE term_standing t SET username = n.pseudonym, actual_name = n.pseudonym
    FROM ${named} WHERE t.school_id = ${schoolId} AND t.student_id = n.id`);
  await data.updateTable('seat').where('student_id', '=', anyOf(ids)).set({ student_id: null }).execute();
  await data.execute(sql`
    UPDATE activity a SET target_name = n.pseudonym
    FROM ${named} WHERE a.school_id = ${schoolId} AND a.target_id = n.id AND a.action = ANY(${studentActions})`);
  // Deletes only failed rows by username, because another student can have a former username now.
  await data.execute(sql`
    DELETE FROM import_row WHERE school_id = ${schoolId} AND student_id IS NULL AND code IS NOT NULL
      AND (entry ->> 'seenUserId' = ANY(${ids.map(String)}::text[])
        OR entry ->> 'username' = ANY(${erased.flatMap(({ usernames }) => usernames)}::text[]))`);
  // Removes personal data from rows that are not applied yet; the import then counts them as failed. Citus refuses
  // `jsonb_build_object` here, because it is not immutable.
  const usernames = people.map(({ username }) => username);
  await data.execute(sql`
    UPDATE import_row w SET entry = jsonb_strip_nulls(jsonb_set(
      jsonb_set('{}', '{seenUserId}', n.id::text::jsonb), '{line}', coalesce(w.entry -> 'line', 'null')))
    FROM unnest(${ids}::bigint[], ${usernames}::text[]) AS n (id, username)
    WHERE w.school_id = ${schoolId} AND w.code IS NULL AND (w.entry ->> 'seenUserId' = n.id::text
      OR (w.entry -> 'seenUserId' IS NULL AND w.entry ->> 'username' = n.username))`);
  await eraseFromAnswers(data, erased);
}

async function readErasedNames(data: SchoolData, people: readonly LockedStudent[]): Promise<ErasedStudent[]> {
  const ids = people.map(({ id }) => id);
  const wanted = ids.map((id) => `Erased ${id}`);
  const [taken, former] = [
    await data.execute(sql<{ username: string }>`
      SELECT username FROM student WHERE school_id = ${data.schoolId} AND username = ANY(${wanted}::text[])`),
    await data.execute(sql<{ id: number; name: string }>`
      SELECT target_id AS id, target_name AS name FROM activity
      WHERE school_id = ${data.schoolId} AND target_id = ANY(${ids}::bigint[])
        AND action = ANY(${studentActions}) AND target_name IS NOT NULL
      UNION SELECT student_id, username FROM term_standing
      WHERE school_id = ${data.schoolId} AND student_id = ANY(${ids}::bigint[])`),
  ];
  const others = new Set(taken.map(({ username }) => username));
  return people.map(({ id, username }) => {
    const plain = `Erased ${id}`;
    return {
      id,
      // Adds a random number when another student has this username.
      pseudonym: others.has(plain) ? `${plain}-${randomInt(1e9)}` : plain,
      usernames: [...new Set([username, ...former.flatMap((each) => (each.id === id ? [each.name] : []))])],
    };
  });
}

/** Small, so that writes of points do not wait long for its locks. */
const batchSize = 50;

const dayMs = 86_400_000;

/** Erases students disabled longer than their school allows, in batches, until `stop` aborts. @returns how many */
export async function eraseAllLeavers(db: Database, now: Date, stop?: AbortSignal): Promise<number> {
  const schools = await db
    .selectFrom('school')
    .where('erase_leavers_after_days', 'is not', null)
    .select('id')
    .orderBy('id')
    .execute();
  let erased = 0;
  for (const { id: schoolId } of schools) {
    const data = new SchoolData(db, { schoolId, gradeId: null, classId: null });
    while (!stop?.aborted) {
      const batch = await data.transaction((own) => eraseBatch(own, now));
      if (batch === null) break;
      erased += batch;
    }
  }
  return erased;
}

/** Locks the school first and reads its setting again. @returns null when no student is left */
async function eraseBatch(own: SchoolData, now: Date): Promise<number | null> {
  const { schoolId } = own;
  const [school] = await own.execute(sql<{ days: number | null }>`
    SELECT erase_leavers_after_days AS days FROM school WHERE id = ${schoolId} FOR SHARE`);
  const days = school?.days ?? null;
  if (days === null) return null;
  const before = new Date(now.getTime() - days * dayMs);
  const batch = await own.execute(sql<{ id: number }>`
    SELECT id FROM student
    WHERE school_id = ${schoolId} AND disabled AND erased_at IS NULL
      AND disabled_at < ${before.toISOString()}::timestamptz
    ORDER BY disabled_at, id LIMIT ${batchSize}`);
  if (batch.length === 0) return null;
  // Checks the days again, because a student may have been enabled before the lock.
  const ids = await own.lockStudents((students) =>
    students
      .where('id', '=', anyOf(batch.map(({ id }) => id)))
      .where('disabled_at', '<', before.toISOString())
      .where('erased_at', 'is', null),
  );
  const people = await lockNotErased(own, ids);
  await eraseLocked(own, people, now);
  return people.length;
}
