import { sql } from 'kysely';
import type { SchoolData } from '../access/school-data.ts';
import type { RunStatement } from '../database/transaction.ts';
import { clearedFields, pseudonymFields } from '../fields/students.ts';

export interface ErasedStudent {
  readonly id: number;
  readonly pseudonym: string;
  readonly usernames: readonly string[];
}

type Fields = Record<string, unknown>;

function studentIdIn(part: Fields): number | null {
  const id = part.userId ?? (part.username === undefined ? undefined : part.id);
  return typeof id === 'number' ? id : null;
}

function walk(value: unknown, visit: (part: Fields) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(value as Fields);
  for (const part of Object.values(value)) walk(part, visit);
}

function erasePart(part: Fields, pseudonym: string): void {
  for (const field of pseudonymFields) if (typeof part[field] === 'string') part[field] = pseudonym;
  if (typeof part.description === 'string') part.description = '';
  if (typeof part.reason === 'string') part.reason = 'erased';
  for (const field of ['note', ...clearedFields]) if (field in part) part[field] = null;
  delete part.initialPassword;
  delete part.signInCode;
}

/** Removes erased students from lists: rows of absences, and the ids of picked students or team members. */
function eraseFromLists(part: Fields, isErased: (id: number) => boolean): void {
  const { absences, userIds } = part;
  if (Array.isArray(absences)) {
    part.absences = absences.filter((absence: Fields) => !isErased(studentIdIn(absence) ?? 0));
  }
  if (Array.isArray(userIds)) part.userIds = userIds.filter((id: number) => !isErased(id));
}

/** Removes erased students from answers before a replay, because the erasure cannot change encrypted answers. */
export async function hideErasedStudents(
  run: RunStatement,
  schoolId: number,
  answers: readonly unknown[],
): Promise<void> {
  const ids = new Set<number>();
  for (const answer of answers) {
    walk(answer, (part) => {
      ids.add(studentIdIn(part) ?? 0);
      if (Array.isArray(part.userIds)) for (const id of part.userIds) ids.add(id);
    });
  }
  ids.delete(0);
  if (ids.size === 0) return;
  const erased = await run<{ id: number; username: string }>(
    `SELECT id, username FROM student WHERE school_id = $1 AND id = ANY($2::bigint[]) AND erased_at IS NOT NULL`,
    [schoolId, [...ids]],
  );
  const pseudonyms = new Map(erased.map(({ id, username }) => [id, username]));
  for (const answer of answers) {
    walk(answer, (part) => {
      eraseFromLists(part, (id) => pseudonyms.has(id));
      const pseudonym = pseudonyms.get(studentIdIn(part) ?? 0);
      if (pseudonym !== undefined) erasePart(part, pseudonym);
    });
  }
}

/** Erases students from unencrypted answers. Locks each answer first, because another erasure may change it. */
export async function eraseFromAnswers(data: SchoolData, erased: readonly ErasedStudent[]): Promise<void> {
  const fragments = erased.flatMap(({ id, usernames }) => [
    '"success":false',
    '"userIds":[',
    `"userId":${id}`,
    ...usernames.map((name) => `"username":${JSON.stringify(name)}`),
  ]);
  const rows = await data.execute(sql<{ owner: string; key: string; answer: Buffer }>`
    SELECT owner, key, answer FROM idempotency_key
    WHERE school_id = ${data.schoolId} AND EXISTS (
      SELECT FROM unnest(${fragments}::text[]) AS mark WHERE position(convert_to(mark, 'UTF8') IN answer) > 0)
    ORDER BY owner, key FOR NO KEY UPDATE`);
  const pseudonymById = new Map(erased.map((person) => [person.id, person.pseudonym]));
  const pseudonymByUsername = new Map(
    erased.flatMap(({ usernames, pseudonym }) => usernames.map((name) => [name, pseudonym])),
  );
  const answers = rows.map(({ answer, ...row }) => ({
    ...row,
    content: JSON.parse(answer.toString('utf8')),
  }));
  const hasUnusedName = await unusedNameTest(data, answers);
  for (const { owner, key, content } of answers) {
    walk(content, (part) => {
      eraseFromLists(part, (student) => pseudonymById.has(student));
      const id = studentIdIn(part);
      // Searches by username, too, because a failed entry may lack the id.
      const name = String(part.username);
      const pseudonym =
        id === null
          ? (pseudonymByUsername.get(name) ?? (hasUnusedName(part) ? 'erased' : undefined))
          : pseudonymById.get(id);
      if (pseudonym !== undefined) erasePart(part, pseudonym);
    });
    await data.execute(sql`
      UPDATE idempotency_key SET answer = ${Buffer.from(JSON.stringify(content), 'utf8')}
      WHERE school_id = ${data.schoolId} AND owner = ${owner} AND key = ${key}`);
  }
}

/** Tests for usernames that no student has now, because they may be former names of erased students. */
async function unusedNameTest(
  data: SchoolData,
  answers: readonly { readonly content: unknown }[],
): Promise<(part: Fields) => boolean> {
  const failed = (part: Fields) =>
    part.success === false && studentIdIn(part) === null && typeof part.username === 'string';
  const names = new Set<string>();
  for (const { content } of answers)
    walk(content, (part) => failed(part) && names.add(part.username as string));
  const used = await data.execute(sql<{ username: string }>`
    SELECT username FROM student WHERE school_id = ${data.schoolId} AND username = ANY(${[...names]}::text[])`);
  const present = new Set(used.map(({ username }) => username));
  return (part) => failed(part) && !present.has(part.username as string);
}
