import { type RawBuilder, sql } from 'kysely';

type Kind = 'school' | 'course' | 'class' | 'student';

/** The start of all roster ids that Classledger makes. No external id begins with this prefix. */
const ownPrefix = 'classledger-';

/** Returns the roster id of a record. A grade is a course in a roster. */
export const sourcedId = (kind: Kind, id: number) => `${ownPrefix}${kind}-${id}`;

export const sourcedIdSql = (kind: Kind, id: RawBuilder<number>): RawBuilder<string> =>
  sql`${sql.lit(`${ownPrefix}${kind}-`)} || ${id}`;

/** Parses a roster id. @returns the record's id; -1, which no record has, for any other text */
export function parseSourcedId(kind: Kind, text: string): number {
  const prefix = `${ownPrefix}${kind}-`;
  const digits = text.startsWith(prefix) ? text.slice(prefix.length) : '';
  return /^[1-9][0-9]{0,14}$/.test(digits) ? Number(digits) : -1;
}
