import { type RawBuilder, sql } from 'kysely';

type Kind = 'school' | 'course' | 'class' | 'student';

/** What begins so was named by Classledger itself, in whichever installation: it is nobody's external id. */
const ownPrefix = 'classledger-';

/** How a roster names a record, from the record's id. A grade is a course there. */
export const sourcedId = (kind: Kind, id: number) => `${ownPrefix}${kind}-${id}`;

/** The same as SQL. */
export const sourcedIdOf = (kind: Kind, id: RawBuilder<number>): RawBuilder<string> =>
  sql`${sql.lit(`${ownPrefix}${kind}-`)} || ${id}`;

/** The id in it; -1, which no record has, for what names no record of that kind. */
export function idIn(kind: Kind, text: string): number {
  const start = `${ownPrefix}${kind}-`;
  const digits = text.startsWith(start) ? text.slice(start.length) : '';
  return /^[1-9][0-9]{0,14}$/.test(digits) ? Number(digits) : -1;
}
