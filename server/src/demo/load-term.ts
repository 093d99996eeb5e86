import { sql } from 'kysely';
import { SchoolData } from '../access/school-data.ts';
import type { Transaction } from '../database/connect.ts';
import { recountDays } from '../features/scores/ledger/totals.ts';
import { reasons } from './reasons.ts';
import { schoolTimeZone } from './school-plan.ts';
import { type PlannedRecord, planTerm, type RosterEntry } from './term-plan.ts';

const recordsPerStatement = 20_000;

export interface TermLoad {
  readonly schoolId: number;
  readonly roster: readonly RosterEntry[];
  readonly authorId: number;
  readonly now: Date;
  readonly records: number;
}

/** Writes a term without the ledger, which is made for single writes. Tests prove the totals. */
export async function loadTerm(tx: Transaction, load: TermLoad): Promise<number> {
  let written = 0;
  let waiting: PlannedRecord[] = [];
  const flush = async () => {
    await insertRecords(tx, load, waiting);
    written += waiting.length;
    waiting = [];
  };
  for (const day of planTerm(load.roster, load.now, load.records)) {
    waiting.push(...day);
    if (waiting.length >= recordsPerStatement) await flush();
  }
  await flush();
  await addUp(tx, load.schoolId);
  return written;
}

async function insertRecords(
  tx: Transaction,
  { schoolId, authorId }: TermLoad,
  records: readonly PlannedRecord[],
): Promise<void> {
  await sql`
    INSERT INTO score_record (school_id, student_id, created_at, admin_id, score_change, description)
    SELECT ${schoolId}, n.student_id, to_timestamp(n.at / 1000), ${authorId}, reason.change, reason.description
    FROM unnest(${records.map((record) => record.studentId)}::bigint[],
      ${records.map((record) => record.at)}::float8[], ${records.map((record) => record.reason + 1)}::int[])
      WITH ORDINALITY AS n (student_id, at, reason, position)
    JOIN unnest(${reasons.map((reason) => reason.change)}::int[],
      ${reasons.map((reason) => reason.description)}::text[])
      WITH ORDINALITY AS reason (change, description, number) ON reason.number = n.reason
    ORDER BY n.position`.execute(tx);
}

async function addUp(tx: Transaction, schoolId: number): Promise<void> {
  await sql`
    UPDATE student s SET add_score = l.added, deduct_score = l.deducted, total_score = l.added + l.deducted,
      score_count = l.records
    FROM (
      SELECT student_id, sum(greatest(score_change, 0)) AS added, sum(least(score_change, 0)) AS deducted,
        count(*) AS records
      FROM score_record WHERE school_id = ${schoolId} AND live GROUP BY 1
    ) l
    WHERE s.school_id = ${schoolId} AND s.id = l.student_id`.execute(tx);
  await sql`
    UPDATE class c SET add_score = s.added, deduct_score = s.deducted, record_count = s.records
    FROM (
      SELECT class_id, sum(add_score) AS added, sum(deduct_score) AS deducted, sum(score_count) AS records
      FROM student WHERE school_id = ${schoolId} GROUP BY 1
    ) s
    WHERE c.school_id = ${schoolId} AND c.id = s.class_id`.execute(tx);
  await recountDays(new SchoolData(tx, { schoolId, gradeId: null, classId: null }), schoolTimeZone);
}
