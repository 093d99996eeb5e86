import { Announcement, type Body, type InternalOperations } from '@classledger/contract';
import type { Database } from '../../database/connect.ts';
import { type ListResult, readPage, type Slice } from '../../database/page.ts';
import { invalidValue, notFound } from '../../errors/app-error.ts';
import { columnsOf } from '../../fields/fields.ts';

const columns = columnsOf('announcement', Announcement);

const toAnnouncement = ({ active, ...row }: Omit<Announcement, 'active'> & { active: boolean }) => ({
  ...row,
  active: active ? 1 : 0,
});

/** Kept small because one announcement can have 50 kB. */
const announcementsPerBatch = 50;

export async function listAnnouncements(
  db: Database,
  which: 'all' | 'active',
  slice: Slice,
): Promise<ListResult<Announcement>> {
  let visible = db.selectFrom('announcement');
  if (which === 'active') visible = visible.where('active', '=', true);
  const page = await readPage(visible.select(columns).orderBy('id', 'desc'), slice, 'id', {
    partOf: announcementsPerBatch,
  });
  return page.map(toAnnouncement);
}

export async function readAnnouncement(db: Database, id: number): Promise<Announcement | undefined> {
  const row = await db.selectFrom('announcement').where('id', '=', id).select(columns).executeTakeFirst();
  return row && toAnnouncement(row);
}

/** @throws AppError invalid_value when no text remains, or the HTML has too much markup */
export async function sanitiseContent(html: string): Promise<string> {
  // Imports the sanitiser on demand: it takes 1.5 MB, and only authors of announcements need it.
  const { isBlankHtml, hasTooMuchMarkup, sanitiseHtml } = await import('./sanitise-html.ts');
  if (hasTooMuchMarkup(html)) throw invalidValue('content has too many of the characters <, > and &');
  const content = sanitiseHtml(html);
  if (isBlankHtml(content)) throw invalidValue('content has no visible text after its HTML is sanitised');
  return content;
}

/** @throws AppError invalid_value */
export async function createAnnouncement(
  db: Database,
  { title, content, type = 'info', active = true }: Body<InternalOperations['createAnnouncement']>,
  at: Date,
): Promise<Announcement> {
  const row = await db
    .insertInto('announcement')
    .values({
      title,
      content: await sanitiseContent(content),
      type,
      active: Boolean(active),
      created_at: at,
      updated_at: at,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
  return toAnnouncement(row);
}

/** @throws AppError not_found, invalid_value */
export async function changeAnnouncement(
  db: Database,
  id: number,
  { title, content, type, active }: Body<InternalOperations['updateAnnouncement']>,
  at: Date,
): Promise<Announcement> {
  const row = await db
    .updateTable('announcement')
    .where('id', '=', id)
    .set({
      updated_at: at,
      title,
      content: content === undefined ? undefined : await sanitiseContent(content),
      type,
      active: active === undefined ? undefined : Boolean(active),
    })
    .returning(columns)
    .executeTakeFirstOrThrow(() => notFound('The announcement'));
  return toAnnouncement(row);
}

/** @throws AppError not_found */
export async function deleteAnnouncement(db: Database, id: number) {
  return db
    .deleteFrom('announcement')
    .where('id', '=', id)
    .returning(['id', 'title'])
    .executeTakeFirstOrThrow(() => notFound('The announcement'));
}
