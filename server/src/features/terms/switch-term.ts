import type { Body, Data, InternalOperations, internalOperations } from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import type { Admin } from '../../access/sessions.ts';
import { lockClass, requireClass } from '../../access/targets.ts';
import { recordEndedScores } from '../../changes/record-student-changes.ts';
import { notFound } from '../../errors/app-error.ts';
import { type KeyedCall, type ReplayedAnswer, runOnce } from '../../idempotency/idempotency-keys.ts';
import { closeRecords } from '../scores/ledger/totals.ts';
import { closeTeamRecords } from '../teams/team-records.ts';
import { termStarts } from './read-terms.ts';

type TermSwitch = Body<InternalOperations['switchTerm']>;

type TermCloser = Pick<Admin, 'id' | 'username'>;
type TermSwitchResult = Data<typeof internalOperations.switchTerm>;

const attemptsMax = 5;

/** Also stores standings for `archive` (docs/contract.md, Terms). @throws AppError not_found, out_of_range */
export async function switchTerm(
  call: KeyedCall,
  change: TermSwitch,
  closer: TermCloser,
): Promise<TermSwitchResult | ReplayedAnswer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(call, (own) => closeTerm(own, change, closer, call.at, attempt === attemptsMax));
    } catch (error) {
      if (!(error instanceof SwitchRestartError)) throw error;
    }
  }
}

/** Thrown to roll back an attempt, so that the switch can start again. */
class SwitchRestartError extends Error {}

/**
 * Closes a term; concurrent writes of points come wholly before or after.
 * @param isLastAttempt true waits for the lock of a student who arrives meanwhile, at the risk of a deadlock
 * @throws AppError not_found, out_of_range; SwitchRestartError to start the switch again
 */
export async function closeTerm(
  data: SchoolData,
  { classId, action, name }: TermSwitch,
  closer: TermCloser,
  at: Date,
  isLastAttempt: boolean,
): Promise<TermSwitchResult> {
  await requireClass(data, classId);
  if (!(await data.preventSchoolDeletion())) throw notFound('The school');
  const { className, studentIds } = await lockMembers(data, classId, isLastAttempt);
  const startedAt = await readTermStart(data, classId);
  // Takes the later time, because two switches can get the lock in another order than their times.
  const closedAt = new Date(Math.max(at.getTime(), Date.parse(startedAt))).toISOString();
  const term = { name: name ?? closedAt.slice(0, 10), startedAt, closedAt };
  const { id } = await data
    .insertInto('term')
    .values({
      school_id: data.schoolId,
      class_id: classId,
      class_name: className,
      name: term.name,
      action,
      started_at: startedAt,
      closed_at: closedAt,
      closed_by_id: closer.id,
      closed_by_username: closer.username,
      student_count: studentIds.length,
      // Set after `closeRecords`, which needs the id of the term.
      record_count: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (action === 'archive') await insertStandings(data, id, studentIds);
  await recordEndedScores(data, at, studentIds);
  await closeTeamRecords(data, { termId: id, classId });
  const records = await closeRecords(data, { termId: id, classId, studentIds });
  await data.updateTable('term').where('id', '=', id).set({ record_count: records }).execute();
  return { action, classId, term: { id, ...term }, students: studentIds.length, records };
}

/**
 * Locks the students of a class, then the class, after which no student joins or leaves. A student may join
 * between the two locks. Locking that student then breaks the lock order, so only the last attempt does it; earlier
 * attempts throw SwitchRestartError.
 */
async function lockMembers(data: SchoolData, classId: number, isLastAttempt: boolean) {
  const lockAll = () => data.lockStudents((students) => students.where('class_id', '=', classId));
  const locked = new Set(await lockAll());
  const { name: className } = await lockClass(data, classId);
  const members = await data.students().where('s.class_id', '=', classId).select('s.id').execute();
  const late = members.some(({ id }) => !locked.has(id));
  if (late && !isLastAttempt) throw new SwitchRestartError();
  return { className, studentIds: late ? await lockAll() : members.map(({ id }) => id) };
}

async function readTermStart(data: SchoolData, classId: number): Promise<string> {
  const [found] = await data.run<{ startedAt: string }>(termStarts('school_id = $1 AND id = $2'), [
    data.schoolId,
    classId,
  ]);
  return (found as { startedAt: string }).startedAt;
}

async function insertStandings(data: SchoolData, termId: number, studentIds: readonly number[]) {
  await data.execute(sql`
    INSERT INTO term_standing (school_id, term_id, student_id, username, actual_name, add_score, deduct_score,
      score_count)
    SELECT school_id, ${termId}::bigint, id, username, actual_name, add_score, deduct_score, score_count
    FROM student WHERE school_id = ${data.schoolId} AND id = ANY(${studentIds}::bigint[])`);
}
