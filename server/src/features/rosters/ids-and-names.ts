import { type RawBuilder, sql } from 'kysely';

type Kind = 'school' | 'course' | 'class' | 'student' | 'teacher';

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

/** The family name of a name that cannot be split, because OneRoster requires two parts. */
export const missingPart = '-';

/** A family name of one character, followed by the given name without a space. */
const chineseName = '^[一-鿿]{2,4}$';
/** Chinese names that are not split, because they are long or have spaces: joined parts might give another name. */
const unsplitChineseName = '^[一-鿿 ]+$';
const lastWord = ' [^ ]+$';

/** Splits a name into parts that join to the same name (docs/oneroster.md, Names). The pages' export does so too. */
export function nameParts(name: RawBuilder<string>) {
  const split = (
    ofChinese: RawBuilder<string>,
    ofOthers: RawBuilder<string>,
    otherwise: RawBuilder<string>,
  ) =>
    sql<string>`CASE WHEN ${name} ~ ${chineseName} THEN ${ofChinese} WHEN ${name} ~ ${unsplitChineseName} THEN ${otherwise}
      WHEN ${name} ~ ${lastWord} THEN ${ofOthers} ELSE ${otherwise} END`;
  return {
    givenName: split(sql`substr(${name}, 2)`, sql`regexp_replace(${name}, ${lastWord}, '')`, name),
    familyName: split(
      sql`left(${name}, 1)`,
      sql`substring(${name} from '[^ ]+$')`,
      sql`${missingPart}::text`,
    ),
  };
}
