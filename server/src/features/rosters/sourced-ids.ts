import { type RawBuilder, sql } from 'kysely';

type Kind = 'school' | 'course' | 'class' | 'student';

/** Begins ids that Classledger itself gave, in any installation. External ids never begin so. */
const ownPrefix = 'classledger-';

/** Returns the id of a record in a roster. A grade is a course there. */
export const sourcedId = (kind: Kind, id: number) => `${ownPrefix}${kind}-${id}`;

/** Like `sourcedId`, as SQL. */
export const sourcedIdOf = (kind: Kind, id: RawBuilder<number>): RawBuilder<string> =>
  sql`${sql.lit(`${ownPrefix}${kind}-`)} || ${id}`;

/** Returns the record's id in a roster id of this kind. For another text returns -1, which matches no record. */
export function idIn(kind: Kind, text: string): number {
  const start = `${ownPrefix}${kind}-`;
  const digits = text.startsWith(start) ? text.slice(start.length) : '';
  return /^[1-9][0-9]{0,14}$/.test(digits) ? Number(digits) : -1;
}
