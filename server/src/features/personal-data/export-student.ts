import { StudentExport } from '@classledger/contract';
import { sql } from 'kysely';
import type { Responsibility } from '../../access/range.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { requireStudent } from '../../access/targets.ts';
import type { Database } from '../../database/connect.ts';
import { notFound } from '../../errors/app-error.ts';
import { selectionOf } from '../../fields/fields.ts';
import { studentFields } from '../../fields/students.ts';
import { readAbsencesOfStudent } from '../attendance/attendance.ts';
import { readImportsOfStudent } from '../imports/import-runs.ts';
import { withAuthors } from '../scores/list-scores.ts';
import { withoutEmail } from '../students/list-students.ts';
import { belongsToSchool, readProfile } from '../students/student-account.ts';
import { studentActions } from './erase-students.ts';

type ExportEntry<Name extends keyof StudentExport> = StudentExport[Name] extends readonly (infer Entry)[]
  ? Entry
  : never;

const accounts = selectionOf(studentFields, StudentExport.properties.account);
const accountsWithoutEmail = selectionOf(withoutEmail, StudentExport.properties.account);

/** Reads all stored data about a student, as of one moment. @throws AppError not_found, out_of_range */
export async function exportStudent(
  db: Database,
  data: SchoolData,
  admin: Responsibility,
  id: number,
  at: Date,
): Promise<StudentExport> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((tx) => readExport(data.withConnection(tx), admin, id, at));
}

async function readExport(data: SchoolData, admin: Responsibility, id: number, at: Date) {
  await requireStudent(data, id);
  const { schoolId, schoolName, totalScore, addScore, deductScore, scoreCount } = await readProfile(data, id);
  const selection = belongsToSchool(admin) ? accounts : accountsWithoutEmail;
  const [account] = await data.execute(selection.select(data.fromStudents([sql`s.id = ${id}`])));
  if (!account) throw notFound('The student');
  const seat = await data
    .selectFrom('seat')
    .where('student_id', '=', id)
    .select(['group_index as groupIndex', 'row_index as row', 'col_index as col'])
    .executeTakeFirst();
  const team = await data
    .selectFrom('team_member')
    .innerJoin('team', (join) =>
      join.onRef('team.school_id', '=', 'team_member.school_id').onRef('team.id', '=', 'team_id'),
    )
    .where('student_id', '=', id)
    .select(['team.name', 'joined_at as joinedAt'])
    .executeTakeFirst();
  return {
    id,
    username: account.username,
    exportedAt: at.toISOString(),
    school: { id: schoolId, name: schoolName },
    account,
    waysIn: await readSignInMethods(data, id),
    totals: { totalScore, addScore, deductScore, scoreCount },
    seat: seat ?? null,
    team: team ?? null,
    records: await readRecords(data, id),
    absences: await readAbsencesOfStudent(data, id),
    imports: await readImportsOfStudent(data, id),
    terms: await readTerms(data, id),
    signIns: await data
      .selectFrom('student_session')
      .where('student_id', '=', id)
      .select(['created_at as createdAt', 'last_seen_at as lastSeenAt', 'opened_with as openedWith'])
      .select(['shared', 'ip', 'user_agent as userAgent'])
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
    events: await data
      .selectFrom('student_event')
      .where('student_id', '=', id)
      .select(['created_at as createdAt', 'kind', 'ip', 'user_agent as userAgent'])
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
    activity: await data
      .selectFrom('activity')
      .where('target_id', '=', id)
      .where('action', 'in', studentActions)
      .select(['created_at as createdAt', 'username', 'action', 'target_name as name'])
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
  };
}

function readSignInMethods(data: SchoolData, id: number): Promise<ExportEntry<'waysIn'>[]> {
  return data.execute(sql<ExportEntry<'waysIn'>>`
    SELECT 'password' AS kind, NULL AS detail, password_expires_at AS "endsAt"
    FROM student WHERE school_id = ${data.schoolId} AND id = ${id} AND erased_at IS NULL
    UNION ALL SELECT opens, NULL, expires_at
    FROM sign_in_code WHERE school_id = ${data.schoolId} AND student_id = ${id}
    UNION ALL SELECT 'provider', provider.name || ': ' || i.subject, NULL
    FROM sign_in_identity i
    JOIN sign_in_provider provider ON provider.school_id = i.school_id AND provider.id = i.provider_id
    WHERE i.school_id = ${data.schoolId} AND i.student_id = ${id}`);
}

/** Ranks the student among all students whose standing was stored when the term was closed. */
function readTerms(data: SchoolData, id: number): Promise<ExportEntry<'terms'>[]> {
  const { schoolId } = data;
  return data.execute(sql<ExportEntry<'terms'>>`
    SELECT m.id, m.name, m.class_name AS "className", m.started_at AS "startedAt", m.closed_at AS "closedAt",
      (SELECT json_build_object(
        'rank', (SELECT count(*) + 1 FROM term_standing better
          WHERE better.school_id = ${schoolId} AND better.term_id = t.term_id
            AND better.add_score + better.deduct_score > t.add_score + t.deduct_score),
        'username', t.username, 'actualName', t.actual_name, 'totalScore', t.add_score + t.deduct_score,
        'addScore', t.add_score, 'deductScore', t.deduct_score, 'scoreCount', t.score_count)
      FROM term_standing t
      WHERE t.school_id = ${schoolId} AND t.term_id = m.id AND t.student_id = ${id}) AS standing
    FROM term m WHERE m.school_id = ${schoolId} AND m.id IN (
      SELECT term_id FROM term_standing WHERE school_id = ${schoolId} AND student_id = ${id}
      UNION SELECT term_id FROM score_record WHERE school_id = ${schoolId} AND student_id = ${id})
    ORDER BY m.closed_at, m.id`);
}

async function readRecords(data: SchoolData, id: number): Promise<ExportEntry<'records'>[]> {
  const rows = await data
    .selectFrom('score_record')
    .where('student_id', '=', id)
    .select(({ fn }) => ['id', fn.coalesce('occurred_at', 'created_at').as('occurredAt')])
    .select(['created_at as createdAt', 'score_change as scoreChange', 'description', 'note'])
    .select(
      sql<string | null>`(SELECT k.name FROM category k
        WHERE k.school_id = ${data.schoolId} AND k.id = score_record.category_id)`.as('category'),
    )
    .select(['term_id as termId', 'revoked_at as revokedAt', 'admin_id as adminId', 'token_id as tokenId'])
    .select(['revoked_by_admin_id as revokedByAdminId', 'revoked_by_token_id as revokedByTokenId'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return withAuthors(data, rows);
}
