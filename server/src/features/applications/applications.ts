import type { Application } from '@classledger/contract';
import { type Selectable, sql } from 'kysely';
import type { Admin } from '../../access/sessions.ts';
import { AppError, notFound } from '../../app-error.ts';
import { applicationLock } from '../../database/advisory-locks.ts';
import type { Database } from '../../database/connect.ts';
import { type Listed, readPage, type Slice } from '../../database/page.ts';
import type { Tables } from '../../database/tables.ts';
import { inTransaction } from '../../database/transaction.ts';

export type NewApplication = Pick<Application, 'schoolName' | 'applicantName' | 'contactPhone' | 'reason'>;

type ApplicationRow = Selectable<Tables['application']>;

function answerOf(row: ApplicationRow): Application {
  const { reviewed_by_id: id, reviewed_by_username: username } = row;
  return {
    id: row.id,
    schoolName: row.school_name,
    applicantName: row.applicant_name,
    contactPhone: row.contact_phone,
    reason: row.reason,
    status: row.status,
    reviewNote: row.review_note,
    reviewedAt: row.reviewed_at,
    reviewedBy: id === null || username === null ? null : { id, username },
    createdAt: row.created_at,
  };
}

/** So many may wait for a review. */
const pendingMax = 1_000;
const hourSeconds = 3_600;

/** Stores an application, to be reviewed. @throws AppError rate_limited: too many wait */
export function submitApplication(db: Database, input: NewApplication, at: Date): Promise<Application> {
  return inTransaction(db, async (tx) => {
    // One after the other, so that they are counted.
    await sql`SELECT pg_advisory_xact_lock(${sql.lit(applicationLock)})`.execute(tx);
    const { pending } = await tx
      .selectFrom('application')
      .where('status', '=', 'pending')
      .select(sql<number>`count(*)`.as('pending'))
      .executeTakeFirstOrThrow();
    if (pending >= pendingMax) {
      const message = `${pendingMax} applications wait for a review, which is the most there may be; try again later`;
      throw new AppError('rate_limited', message, hourSeconds);
    }
    const row = await tx
      .insertInto('application')
      .values({
        school_name: input.schoolName,
        applicant_name: input.applicantName,
        contact_phone: input.contactPhone,
        reason: input.reason,
        created_at: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return answerOf(row);
  });
}

/** Applications, newest first, all or those of one status. */
export async function listApplications(
  db: Database,
  status: Application['status'] | undefined,
  slice: Slice,
): Promise<Listed<Application>> {
  const matching = () => {
    const all = db.selectFrom('application');
    return status === undefined ? all : all.where('status', '=', status);
  };
  const counted = matching().select(sql<number>`count(*)`.as('total'));
  const page = await readPage(matching().selectAll().orderBy('id', 'desc'), counted, slice, 'id');
  return page.map(answerOf);
}

export async function readApplication(db: Database, id: number): Promise<Application | undefined> {
  const row = await db.selectFrom('application').where('id', '=', id).selectAll().executeTakeFirst();
  return row && answerOf(row);
}

/** Deletes an application for good. @throws AppError not_found */
export async function deleteApplication(
  db: Database,
  id: number,
): Promise<Pick<Application, 'id' | 'schoolName'>> {
  const deleted = await db
    .deleteFrom('application')
    .where('id', '=', id)
    .returning(['id', 'school_name as schoolName'])
    .executeTakeFirst();
  if (!deleted) throw notFound('The application');
  return deleted;
}

/**
 * Approves or rejects an application of any status (docs/contract.md, Announcements and applications). Replaces an
 * earlier review, but keeps its note when the new review has none.
 *
 * @throws AppError not_found
 */
export async function reviewApplication(
  db: Database,
  reviewer: Admin,
  id: number,
  { status, reviewNote }: { status: 'approved' | 'rejected'; reviewNote?: string | undefined },
  at: Date,
): Promise<Application> {
  const row = await db
    .updateTable('application')
    .where('id', '=', id)
    .set({
      status,
      reviewed_at: at,
      reviewed_by_id: reviewer.id,
      reviewed_by_username: reviewer.username,
      ...(reviewNote === undefined ? {} : { review_note: reviewNote }),
    })
    .returningAll()
    .executeTakeFirst();
  if (!row) throw notFound('The application');
  return answerOf(row);
}
