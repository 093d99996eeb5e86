import { type Author, type Body, type InternalOperations, TeamRecord } from '@classledger/contract';
import { sql } from 'kysely';
import { requireUnique } from '../../access/class-members.ts';
import type { SchoolData } from '../../access/school-data.ts';
import type { Admin } from '../../access/sessions.ts';
import { lockClass, requireClass, requireOwnWhereOnlyTaught } from '../../access/targets.ts';
import { anyOf } from '../../database/expressions.ts';
import { ListResult, readPage } from '../../database/page.ts';
import { conflict, notFound } from '../../errors/app-error.ts';
import { columnsOf } from '../../fields/fields.ts';
import { withAuthors } from '../scores/list-scores.ts';

/** Adds a record per team. @throws AppError not_found, out_of_range, invalid_value (twice), conflict (archived) */
export async function giveTeamPoints(
  data: SchoolData,
  { classId, teamIds, scoreChange, description = '' }: Body<InternalOperations['giveTeamPoints']>,
  giver: Pick<Admin, 'id' | 'username' | 'name'>,
  at: Date,
): Promise<{ records: TeamRecord[] }> {
  await lockClass(data, classId);
  requireUnique(teamIds.map((id) => `Team ${id}`));
  const rows = await data.execute(sql<{ id: number; teamId: number; teamName: string }>`
    WITH given AS (
      INSERT INTO team_record (school_id, team_id, score_change, description, created_at, admin_id)
      SELECT t.school_id, t.id, ${scoreChange}::int, ${description}, ${at.toISOString()}::timestamptz,
        ${giver.id}::bigint
      FROM team t
      WHERE t.school_id = ${data.schoolId} AND t.class_id = ${classId} AND t.id = ANY(${teamIds}::bigint[])
      ORDER BY t.id
      RETURNING id, team_id
    )
    SELECT given.id, given.team_id AS "teamId", t.name AS "teamName" FROM given
    JOIN team t ON t.school_id = ${data.schoolId} AND t.id = given.team_id`);
  const author: Author = { type: 'admin', id: giver.id, name: giver.name ?? giver.username };
  const fresh = { createdAt: at.toISOString(), author, termId: null, revokedAt: null, revokedBy: null };
  const records = teamIds.map((teamId) => {
    const row = rows.find((given) => given.teamId === teamId);
    if (!row) throw notFound(`Team ${teamId}`);
    return { ...row, scoreChange, description, ...fresh };
  });
  return { records };
}

const recordsOfClass = (data: SchoolData, classId: number) =>
  data
    .selectFrom('team_record')
    .innerJoin('team', (join) =>
      join.onRef('team.school_id', '=', 'team_record.school_id').onRef('team.id', '=', 'team_id'),
    )
    .where('class_id', '=', classId);

/** Includes revoked records and closed terms. @throws AppError not_found, out_of_range */
export async function listTeamRecords(
  data: SchoolData,
  classId: number,
  page: { readonly offset: number; readonly limit: number },
): Promise<ListResult<TeamRecord>> {
  await requireClass(data, classId);
  const rows = recordsOfClass(data, classId)
    .select(columnsOf('team_record', TeamRecord, ['teamName', 'author', 'revokedBy']))
    .select(['team.name as teamName', 'admin_id as adminId', 'revoked_by_admin_id as revokedByAdminId'])
    .orderBy('team_record.created_at', 'desc')
    .orderBy('team_record.id', 'desc');
  const { list, total } = await readPage(rows, page, 'team_record.id');
  return new ListResult((await withAuthors(data, list)) as TeamRecord[], total);
}

/** Revokes all or none; returns how many. @throws AppError not_found, out_of_range, conflict (closed term, archived) */
export async function revokeTeamRecords(
  data: SchoolData,
  { classId, ids }: Body<InternalOperations['revokeTeamRecords']>,
  giver: Pick<Admin, 'id'>,
  at: Date,
): Promise<{ revoked: number }> {
  await lockClass(data, classId);
  const found = await recordsOfClass(data, classId)
    .where('team_record.id', '=', anyOf(ids))
    .select(['team_record.id', 'term_id as termId', 'revoked_at as revokedAt', 'admin_id as adminId'])
    .execute();
  const missing = ids.find((id) => !found.some((record) => record.id === id));
  if (missing !== undefined) throw notFound(`The record ${missing}`);
  const named = found.map(({ id, adminId }) => ({ adminId, classId, what: `The record ${id}` }));
  await requireOwnWhereOnlyTaught(data, giver.id, named);
  const closed = found.find(({ termId, revokedAt }) => termId !== null && revokedAt === null);
  if (closed) throw conflict(`The record ${closed.id} belongs to a closed term`);
  const { numUpdatedRows } = await data
    .updateTable('team_record')
    .where('id', '=', anyOf(ids))
    .where('revoked_at', 'is', null)
    .set({ revoked_at: at, revoked_by_admin_id: giver.id })
    .executeTakeFirst();
  return { revoked: Number(numUpdatedRows) };
}

/** Moves live records to the closed term, so that points restart at 0. The caller has locked the class. */
export async function closeTeamRecords(
  data: SchoolData,
  { termId, classId }: { readonly termId: number; readonly classId: number },
): Promise<void> {
  await data.execute(sql`
    UPDATE team_record r SET term_id = ${termId}::bigint FROM team t
    WHERE r.school_id = ${data.schoolId} AND t.school_id = r.school_id AND t.id = r.team_id
      AND t.class_id = ${classId} AND r.revoked_at IS NULL AND r.term_id IS NULL`);
}
