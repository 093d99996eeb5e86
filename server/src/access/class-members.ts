import type { SeatEntry } from '@classledger/contract';
import { sql } from 'kysely';
import type { Static } from 'typebox';
import { invalidValue, notFound, outOfRange, studentErased } from '../errors/app-error.ts';
import { expressionOf } from '../fields/fields.ts';
import { identityFields, studentFields } from '../fields/students.ts';
import type { SchoolData } from './school-data.ts';

/** @throws AppError invalid_value when a name is listed twice */
export function requireUnique(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw invalidValue(`${name} is listed twice`);
    seen.add(name);
  }
}

const nameKinds = ['userId', ...identityFields] as const;
type Named = Pick<Static<typeof SeatEntry>, (typeof nameKinds)[number]>;

/**
 * Returns a function that finds a named student of the class, or null when nobody is named.
 * @throws AppError not_found, out_of_range, invalid_value (another class, or two students), conflict (erased)
 */
export async function findClassMembers(data: SchoolData, classId: number, named: readonly Named[]) {
  const found = await data
    .wholeSchool()
    .students()
    .where((is) =>
      is.or(
        nameKinds.map((kind) => {
          const field = studentFields[kind === 'userId' ? 'id' : kind];
          const given = sql`${named.flatMap((one) => one[kind] ?? [])}::${sql.raw(field.type)}[]`;
          return sql<boolean>`${expressionOf(field)} = ANY(${given})`;
        }),
      ),
    )
    .select(['s.id as userId', 's.username', 's.external_id as externalId', 's.card_number as cardNumber'])
    .select(['s.class_id as classId', 's.erased_at as erasedAt'])
    .select((is) => is('s.class_id', 'in', data.classesUnjoined().select('c.id')).as('isInRange'))
    .execute();

  return (one: Named, what: string): number | null => {
    const [first, ...others] = nameKinds.filter((kind) => (one[kind] ?? null) !== null);
    if (!first) return null;
    const student = found.find((candidate) => candidate[first] === one[first]);
    if (!student) throw notFound(what);
    if (!student.isInRange) throw outOfRange(what);
    for (const other of others) {
      if (student[other] !== one[other]) throw invalidValue(`${first} and ${other} of ${what} differ`);
    }
    if (student.classId !== classId) throw invalidValue(`${what} is not in this class`);
    if (student.erasedAt !== null) throw studentErased();
    return student.userId;
  };
}
