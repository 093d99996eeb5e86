import { type Author, StudentExport } from '@classledger/contract';
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
  const [seat] = await data.execute(sql<NonNullable<StudentExport['seat']>>`
    SELECT group_index AS "groupIndex", row_index AS row, col_index AS col FROM seat
    WHERE school_id = ${schoolId} AND student_id = ${id}`);
  const [team] = await data.execute(sql<NonNullable<StudentExport['team']>>`
    SELECT t.name, m.joined_at AS "joinedAt" FROM team_member m
    JOIN team t ON t.school_id = m.school_id AND t.id = m.team_id
    WHERE m.school_id = ${schoolId} AND m.student_id = ${id}`);
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
    signIns: await data.execute(sql<ExportEntry<'signIns'>>`
      SELECT created_at AS "createdAt", last_seen_at AS "lastSeenAt", opened_with AS "openedWith", shared, ip,
        user_agent AS "userAgent"
      FROM student_session WHERE school_id = ${schoolId} AND student_id = ${id} ORDER BY created_at, id`),
    events: await data.execute(sql<ExportEntry<'events'>>`
      SELECT created_at AS "createdAt", kind, ip, user_agent AS "userAgent"
      FROM student_event WHERE school_id = ${schoolId} AND student_id = ${id} ORDER BY created_at, id`),
    activity: await data.execute(sql<ExportEntry<'activity'>>`
      SELECT created_at AS "createdAt", username, action, target_name AS name
      FROM activity WHERE school_id = ${schoolId} AND target_id = ${id} AND action = ANY(${studentActions})
      ORDER BY created_at, id`),
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

interface RecordRow extends Omit<ExportEntry<'records'>, 'author' | 'revokedBy'> {
  readonly adminId: number | null;
  readonly tokenId: number | null;
  readonly revokedByAdminId: number | null;
  readonly revokedByTokenId: number | null;
}

async function readRecords(data: SchoolData, id: number): Promise<ExportEntry<'records'>[]> {
  const rows = await data.execute(sql<RecordRow>`
    SELECT id, coalesce(occurred_at, created_at) AS "occurredAt", created_at AS "createdAt", score_change AS "scoreChange", description, note, term_id AS "termId",
      revoked_at AS "revokedAt", admin_id AS "adminId", token_id AS "tokenId",
      revoked_by_admin_id AS "revokedByAdminId", revoked_by_token_id AS "revokedByTokenId"
    FROM score_record WHERE school_id = ${data.schoolId} AND student_id = ${id} ORDER BY created_at, id`);
  const adminIds = rows.flatMap((row) => [row.adminId ?? [], row.revokedByAdminId ?? []].flat());
  const tokenIds = rows.flatMap((row) => [row.tokenId ?? [], row.revokedByTokenId ?? []].flat());
  // Reads each name once, because few people write many records.
  const names = await data.execute(sql<{ type: Author['type']; id: number; name: string }>`
    SELECT 'admin' AS type, id, username AS name FROM admin WHERE id = ANY(${[...new Set(adminIds)]}::bigint[])
    UNION ALL SELECT 'credential', id, name FROM api_token WHERE id = ANY(${[...new Set(tokenIds)]}::bigint[])`);
  const nameOf = new Map(names.map(({ type, id: of, name }) => [`${type} ${of}`, name]));
  const authorOf = (adminId: number | null, tokenId: number | null): Author | null => {
    const type = adminId === null ? 'credential' : 'admin';
    const of = adminId ?? tokenId;
    return of === null ? null : { type, id: of, name: nameOf.get(`${type} ${of}`) ?? null };
  };
  return rows.map(({ adminId, tokenId, revokedByAdminId, revokedByTokenId, ...record }) => ({
    ...record,
    author: authorOf(adminId, tokenId),
    revokedBy: authorOf(revokedByAdminId, revokedByTokenId),
  }));
}
