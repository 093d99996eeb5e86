import { Application } from '@classledger/contract';
import { sql } from 'kysely';
import type { Admin } from '../../access/sessions.ts';
import { applicationLock } from '../../database/advisory-locks.ts';
import type { Database } from '../../database/connect.ts';
import { countRows, type ListResult, readPage, type Slice } from '../../database/page.ts';
import { inTransaction } from '../../database/transaction.ts';
import { AppError, notFound } from '../../errors/app-error.ts';
import { columnsOf } from '../../fields/fields.ts';

export type NewApplication = Pick<Application, 'schoolName' | 'applicantName' | 'contactPhone' | 'reason'>;

const reviewer = ['reviewed_by_id as reviewerId', 'reviewed_by_username as reviewerName'] as const;
const columns = [...columnsOf('application', Application, ['reviewedBy']), ...reviewer];

type ApplicationRow = Omit<Application, 'reviewedBy'> & {
  readonly reviewerId: number | null;
  readonly reviewerName: string | null;
};

const toApplication = ({ reviewerId: id, reviewerName: username, ...row }: ApplicationRow): Application => ({
  ...row,
  reviewedBy: id === null || username === null ? null : { id, username },
});

const pendingMax = 1_000;
const hourSeconds = 3_600;

/** @throws AppError rate_limited when too many applications wait */
export function submitApplication(db: Database, input: NewApplication, at: Date): Promise<Application> {
  return inTransaction(db, async (tx) => {
    // Stores one application at a time, so that parallel requests cannot exceed the limit.
    await sql`SELECT pg_advisory_xact_lock(${sql.lit(applicationLock)})`.execute(tx);
    const pending = await countRows(tx.selectFrom('application').where('status', '=', 'pending'));
    if (pending >= pendingMax) {
      const message = `${pendingMax} applications wait for a review already; try again later`;
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
      .returning(columns)
      .executeTakeFirstOrThrow();
    return toApplication(row);
  });
}

export async function listApplications(
  db: Database,
  status: Application['status'] | undefined,
  slice: Slice,
): Promise<ListResult<Application>> {
  let matching = db.selectFrom('application');
  if (status !== undefined) matching = matching.where('status', '=', status);
  const page = await readPage(matching.select(columns).orderBy('id', 'desc'), slice, 'id');
  return page.map(toApplication);
}

export async function readApplication(db: Database, id: number): Promise<Application | undefined> {
  const row = await db.selectFrom('application').where('id', '=', id).select(columns).executeTakeFirst();
  return row && toApplication(row);
}

/** @throws AppError not_found */
export async function deleteApplication(
  db: Database,
  id: number,
): Promise<Pick<Application, 'id' | 'schoolName'>> {
  return db
    .deleteFrom('application')
    .where('id', '=', id)
    .returning(['id', 'school_name as schoolName'])
    .executeTakeFirstOrThrow(() => notFound('The application'));
}

/**
 * Reviews an application in any status (docs/contract.md, Announcements and applications). A new review replaces an
 * earlier one, except that the earlier note stays when the new review has none. @throws AppError not_found
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
      review_note: reviewNote,
    })
    .returning(columns)
    .executeTakeFirstOrThrow(() => notFound('The application'));
  return toApplication(row);
}
