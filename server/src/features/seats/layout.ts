import type { Body, Data, ExternalOperations, SeatEntry } from '@classledger/contract';
import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { SchoolData } from '../../access/school-data.ts';
import { lockClass, requireClass } from '../../access/targets.ts';
import { AppError, invalidValue, notFound, outOfRange, studentErased } from '../../errors/app-error.ts';
import { seatsOfClass } from './seats.ts';

type Entries = Body<ExternalOperations['replaceSeats']>['seats'];

type SeatsOfClass = Data<ExternalOperations['getSeats']>;

/** @throws AppError not_found, out_of_range */
export async function readLayout(data: SchoolData, classId: number): Promise<SeatsOfClass> {
  await requireClass(data, classId);
  const seats = await seatsOfClass(data, classId);
  const ownSeat = data
    .selectFrom('seat')
    .where('student_id', '=', sql.ref<number>('student.id'))
    .select('id');
  const { unseated } = await data
    .selectFrom('student')
    .where('class_id', '=', classId)
    .where('disabled', '=', false)
    .where(({ not, exists }) => not(exists(ownSeat)))
    .select(({ fn }) => fn.countAll<number>().as('unseated'))
    .executeTakeFirstOrThrow();
  return { seats, unseated };
}

/** @throws AppError not_found, out_of_range, missing_field or invalid_value (a seat), conflict (erased, archived) */
export async function replaceSeats(
  data: SchoolData,
  classId: number,
  entries: Entries,
): Promise<SeatsOfClass> {
  await lockClass(data, classId);
  const seats = entries.map((entry, i) => {
    if (entry.fault) throw new AppError(entry.fault.kind, `seats.${i}: ${entry.fault.message}`);
    return entry.value;
  });
  requireUnique(seats.map(({ groupIndex, row, col }) => `Seat ${col} in row ${row} of group ${groupIndex}`));
  const studentOf = await findNamedStudents(data, seats);
  const students = seats.map((seat, i) => studentOf(seat, `The student of seats.${i}`, classId));
  requireUnique(students.flatMap((id) => (id === null ? [] : `Student ${id}`)));

  await data.deleteFrom('seat').where('class_id', '=', classId).execute();
  const column = (name: 'groupIndex' | 'row' | 'col') => sql`${seats.map((seat) => seat[name])}::int[]`;
  await data.execute(sql`
    INSERT INTO seat (school_id, class_id, group_index, row_index, col_index, student_id)
    SELECT ${data.schoolId}::bigint, ${classId}::bigint, g, r, c, student
    FROM unnest(${column('groupIndex')}, ${column('row')}, ${column('col')}, ${students}::bigint[])
      AS place (g, r, c, student) ORDER BY g, r, c`);
  return readLayout(data, classId);
}

function requireUnique(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw invalidValue(`${name} is listed twice`);
    seen.add(name);
  }
}

const names = {
  userId: sql.ref('s.id'),
  username: sql.ref('s.username'),
  externalId: sql.ref('s.external_id'),
  cardNumber: sql.ref('s.card_number'),
} as const;
type Named = Pick<Static<typeof SeatEntry>, keyof typeof names>;
const nameKinds = ['userId', 'username', 'externalId', 'cardNumber'] as const satisfies (keyof Named)[];

/** Returns a function that finds the student of a seat. @throws AppError when a student cannot sit in the class */
async function findNamedStudents(data: SchoolData, seats: readonly Named[]) {
  const found = await data
    .wholeSchool()
    .students()
    .where((is) =>
      is.or(
        nameKinds.map((kind) => {
          const type = sql.raw(kind === 'userId' ? 'bigint[]' : 'text[]');
          return sql<boolean>`${names[kind]} = ANY(${seats.flatMap((seat) => seat[kind] ?? [])}::${type})`;
        }),
      ),
    )
    .select(['s.id as userId', 's.username', 's.external_id as externalId', 's.card_number as cardNumber'])
    .select(['s.class_id as classId', 's.erased_at as erasedAt'])
    .select((is) => is('s.class_id', 'in', data.classesUnjoined().select('c.id')).as('isInRange'))
    .execute();

  return (seat: Named, what: string, classId: number): number | null => {
    const [first, ...others] = nameKinds.filter((kind) => (seat[kind] ?? null) !== null);
    if (!first) return null;
    const student = found.find((one) => one[first] === seat[first]);
    if (!student) throw notFound(what);
    if (!student.isInRange) throw outOfRange(what);
    for (const other of others) {
      if (student[other] !== seat[other]) throw invalidValue(`${first} and ${other} of ${what} differ`);
    }
    if (student.classId !== classId) throw invalidValue(`${what} is not in this class`);
    if (student.erasedAt !== null) throw studentErased();
    return student.userId;
  };
}
