import { type RawBuilder, sql } from 'kysely';

/** Stands where a name cannot be taken apart: the standard wants two parts. */
export const noPart = '-';

/** A family name of one character and the given name, written together. */
const chinese = '^[一-鿿]{2,4}$';
/** Chinese names that were written apart, or are longer: putting them together would not give the same name. */
const otherChinese = '^[一-鿿 ]+$';
const apart = ' [^ ]+$';

/**
 * Splits a student's name into given and family name, as the standard requires (docs/oneroster.md, Names). `given
 * family` gives the name again; in Chinese, `family` and `given` without a space. The export of the pages does the
 * same.
 */
export function nameParts(name: RawBuilder<string>) {
  const split = (
    ofChinese: RawBuilder<string>,
    ofOthers: RawBuilder<string>,
    otherwise: RawBuilder<string>,
  ) =>
    sql<string>`CASE WHEN ${name} ~ ${chinese} THEN ${ofChinese} WHEN ${name} ~ ${otherChinese} THEN ${otherwise}
      WHEN ${name} ~ ${apart} THEN ${ofOthers} ELSE ${otherwise} END`;
  return {
    givenName: split(sql`substr(${name}, 2)`, sql`regexp_replace(${name}, ${apart}, '')`, name),
    familyName: split(sql`left(${name}, 1)`, sql`substring(${name} from '[^ ]+$')`, sql`${noPart}::text`),
  };
}
