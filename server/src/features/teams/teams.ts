import { createHash } from 'node:crypto';
import type { Body, ClassTeams, InternalOperations, Team } from '@classledger/contract';
import { sql } from 'kysely';
import { findClassMembers, requireUnique } from '../../access/class-members.ts';
import type { SchoolData } from '../../access/school-data.ts';
import { lockClass, requireClass } from '../../access/targets.ts';
import { anyOf } from '../../database/expressions.ts';
import { conflict, notFound } from '../../errors/app-error.ts';

/* Calls that replace teams, or move or delete students, lock the class. So a team's members belong to its class. */

/** Counts only records since a member joined, so teams begin at 0. @throws AppError not_found, out_of_range */
export async function readTeams(data: SchoolData, classId: number): Promise<ClassTeams> {
  await requireClass(data, classId);
  const { schoolId } = data;
  const { ranking } = await data
    .classesUnjoined()
    .where('c.id', '=', classId)
    .select('c.team_ranking as ranking')
    .executeTakeFirstOrThrow();
  const teams = await data.execute(sql<UnrankedTeam>`
    SELECT t.id, t.name, t.colour, coalesce(m.ids, '[]') AS "userIds",
      coalesce(m.points, 0)::bigint AS "memberPoints", coalesce(o.points, 0)::bigint AS "ownPoints"
    FROM team t
    LEFT JOIN LATERAL (
      SELECT jsonb_agg(s.id ORDER BY s.id) AS ids, sum(p.points) AS points
      FROM team_member m
      JOIN student s ON s.school_id = ${schoolId} AND s.id = m.student_id AND NOT s.disabled
      LEFT JOIN LATERAL (
        SELECT sum(r.score_change) AS points FROM score_record r
        WHERE r.school_id = ${schoolId} AND r.student_id = m.student_id AND r.live AND r.created_at >= m.joined_at
      ) p ON true
      WHERE m.school_id = ${schoolId} AND m.team_id = t.id
    ) m ON true
    LEFT JOIN LATERAL (
      SELECT sum(r.score_change) AS points FROM team_record r
      WHERE r.school_id = ${schoolId} AND r.team_id = t.id AND r.revoked_at IS NULL AND r.term_id IS NULL
    ) o ON true
    WHERE t.school_id = ${schoolId} AND t.class_id = ${classId}
    ORDER BY t.position, t.id`);
  const listed = teams.map(({ id, name, colour, userIds }) => [id, name, colour, userIds]);
  const version = createHash('sha256')
    .update(JSON.stringify([ranking, listed]))
    .digest('hex')
    .slice(0, 32);
  return { classId, version, ranking, teams: rankTeams(teams, ranking) };
}

type ReplaceTeamsBody = Body<InternalOperations['replaceTeams']>;

/**
 * Teams with an id keep their points; other teams are deleted with their points. Disabled members stay.
 * @throws AppError not_found, out_of_range, invalid_value (twice, another class), conflict (version, erased, archived)
 */
export async function replaceTeams(
  data: SchoolData,
  wanted: ReplaceTeamsBody,
  at: Date,
): Promise<ClassTeams> {
  const { classId, ranking, anew = false, teams } = wanted;
  await lockClass(data, classId);
  const before = await readTeams(data, classId);
  if (wanted.version !== before.version) {
    throw conflict('Somebody else has changed the teams meanwhile: read them again');
  }
  requireUnique(teams.map(({ name }) => `The name ${JSON.stringify(name)}`));
  requireUnique(teams.flatMap(({ id }) => (id === undefined ? [] : `Team ${id}`)));
  requireUnique(teams.flatMap(({ userIds }) => userIds.map((id) => `Student ${id}`)));
  const kept = teams.flatMap(({ id }) => id ?? []);
  const missing = kept.find((id) => !before.teams.some((team) => team.id === id));
  if (missing !== undefined) throw notFound(`Team ${missing}`);
  const userIds = teams.flatMap((team) => team.userIds);
  const members = userIds.map((userId) => ({ userId }));
  const idOf = await findClassMembers(data, classId, members);
  for (const member of members) idOf(member, `Student ${member.userId}`);

  if (ranking !== undefined && ranking !== before.ranking) {
    await data.updateTable('class').where('id', '=', classId).set({ team_ranking: ranking }).execute();
  }
  await data.execute(sql`
    DELETE FROM team WHERE school_id = ${data.schoolId} AND class_id = ${classId} AND id <> ALL(${kept}::bigint[])`);
  const ids = await storeTeams(data, classId, teams, at);
  await data.execute(sql`
    DELETE FROM team_member m WHERE m.school_id = ${data.schoolId} AND m.team_id = ANY(${kept}::bigint[])
      AND m.student_id <> ALL(${userIds}::bigint[]) AND EXISTS (
        SELECT 1 FROM student s WHERE s.school_id = m.school_id AND s.id = m.student_id AND NOT s.disabled)`);
  const teamIds = teams.flatMap((team, i) => team.userIds.map(() => ids[i] as number));
  // No parameter, because Citus sends this clause alone to another node.
  const isMoved = anew ? sql`true` : sql`m.team_id <> excluded.team_id`;
  await data.execute(sql`
    INSERT INTO team_member AS m (school_id, student_id, team_id, joined_at)
    SELECT ${data.schoolId}::bigint, student, team, ${at.toISOString()}::timestamptz
    FROM unnest(${userIds}::bigint[], ${teamIds}::bigint[]) AS joins (student, team)
    ON CONFLICT (school_id, student_id) DO UPDATE SET team_id = excluded.team_id, joined_at = excluded.joined_at
    WHERE ${isMoved}`);
  if (anew) {
    // Also sets `joined_at` of disabled members, whom the caller did not send because `readTeams` leaves them out.
    await data.execute(sql`
      UPDATE team_member SET joined_at = ${at.toISOString()}::timestamptz
      WHERE school_id = ${data.schoolId} AND team_id = ANY(${kept}::bigint[]) AND student_id <> ALL(${userIds}::bigint[])`);
  }
  return readTeams(data, classId);
}

async function storeTeams(
  data: SchoolData,
  classId: number,
  teams: ReplaceTeamsBody['teams'],
  at: Date,
): Promise<number[]> {
  const rows = teams.map((team, i) => ({ ...team, position: i + 1 }));
  const columns = (of: typeof rows) => sql`${of.map(({ position }) => position)}::int[],
    ${of.map(({ name }) => name)}::text[], ${of.map(({ colour }) => colour)}::int[]`;
  const kept = rows.filter(({ id }) => id !== undefined);
  await data.execute(sql`
    UPDATE team t SET position = n.position, name = n.name, colour = n.colour
    FROM unnest(${kept.map(({ id }) => id)}::bigint[], ${columns(kept)}) AS n (id, position, name, colour)
    WHERE t.school_id = ${data.schoolId} AND t.id = n.id`);
  const made = await data.execute(sql<{ id: number; position: number }>`
    INSERT INTO team (school_id, class_id, position, name, colour, created_at)
    SELECT ${data.schoolId}::bigint, ${classId}::bigint, n.*, ${at.toISOString()}::timestamptz
    FROM unnest(${columns(rows.filter(({ id }) => id === undefined))}) AS n (position, name, colour)
    ORDER BY n.position RETURNING id, position`);
  return rows.map(
    ({ id, position }) => id ?? (made.find((team) => team.position === position)?.id as number),
  );
}

/** Removes students who leave the class; points of the team stay. The caller has locked the students and classes. */
export async function removeFromTeams(data: SchoolData, studentIds: readonly number[]): Promise<void> {
  if (studentIds.length === 0) return;
  await data.deleteFrom('team_member').where('student_id', '=', anyOf(studentIds)).execute();
}

export type UnrankedTeam = Omit<Team, 'points' | 'rank'>;

/** Ranks teams without sorting them. Rounds to a tenth first, so that teams shown as equal share a rank. */
export function rankTeams(teams: readonly UnrankedTeam[], ranking: ClassTeams['ranking']): Team[] {
  const scored = teams.map((team) => ({ ...team, points: pointsOf(team, ranking) }));
  return scored.map((team) => ({
    ...team,
    rank: 1 + scored.filter(({ points }) => points > team.points).length,
  }));
}

function pointsOf(
  { userIds, memberPoints, ownPoints }: UnrankedTeam,
  ranking: ClassTeams['ranking'],
): number {
  const ofMembers = ranking === 'sum' ? memberPoints : memberPoints / Math.max(1, userIds.length);
  return Math.round((ofMembers + ownPoints) * 10) / 10;
}
