import { StudentIdentity } from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { AppError } from '../../errors/app-error.ts';
import { assignments, expressionOf, fieldNamesWith, selectionOf } from '../../fields/fields.ts';
import { type IdentityField, identityFields, studentFields } from '../../fields/students.ts';

/** The names of a student, each unique in the school. */
export type Identity = Pick<StudentIdentity, IdentityField>;

export type Names = { readonly [Field in IdentityField]: Identity[Field] | null };
export type WantedNames = { readonly [Field in IdentityField]?: Identity[Field] | undefined };

/** Selects the student's own columns, without joining class and grade. */
export const studentIdentities = selectionOf(studentFields, StudentIdentity);

/** Another student in the school has the value. */
export class NameTakenError extends AppError {
  readonly field: IdentityField;
  /** True when the change of the student who has the value would free the value, but is refused. */
  readonly isHolderRefused: boolean;

  constructor(field: IdentityField, value: string, isHolderRefused = false) {
    // Quotes only usernames: the message is stored, and an external id or card number in it would outlive an erasure.
    const quoted = field === 'username' ? ` ${JSON.stringify(value)}` : '';
    super('conflict', `The ${fieldNames[field]}${quoted} is taken`);
    this.field = field;
    this.isHolderRefused = isHolderRefused;
  }
}

const fieldNames: Readonly<Record<IdentityField, string>> = {
  username: 'username',
  externalId: 'external id',
  cardNumber: 'card number',
};

/** Reads the students of the whole school, also outside the range, who have one of these names. */
export async function readIdentities(
  data: SchoolData,
  wanted: readonly WantedNames[],
): Promise<StudentIdentity[]> {
  const valuesOf = (field: IdentityField) => wanted.flatMap((student) => student[field] ?? []);
  if (identityFields.every((field) => valuesOf(field).length === 0)) return [];
  const haveOne = identityFields.map(
    (field) => sql`${expressionOf(studentFields[field])} = ANY(${valuesOf(field)}::text[])`,
  );
  return data.execute(
    studentIdentities.select(sql`
      FROM student s WHERE s.school_id = ${data.schoolId} AND (${sql.join(haveOne, sql` OR `)})`),
  );
}

/** Usernames, external ids and card numbers with the ids of their holders. A card number can equal an external id. */
export class TakenNames {
  readonly #holders = new Map<string, number>();

  constructor(students: readonly Names[] = []) {
    for (const student of students) this.add(student);
  }

  /** @param holder only for callers that ask for holders */
  add(student: Names, fields: readonly IdentityField[] = identityFields, holder = 0): void {
    for (const field of fields) {
      if (student[field] !== null) this.#holders.set(`${field} ${student[field]}`, holder);
    }
  }

  holderOf(student: Names, field: IdentityField): number | undefined {
    return student[field] === null ? undefined : this.#holders.get(`${field} ${student[field]}`);
  }

  findTaken(
    wanted: Identity,
    fields: readonly IdentityField[] = identityFields,
    isHolderRefused = (_holder: number, _field: IdentityField) => false,
  ): NameTakenError | null {
    for (const field of fields) {
      const holder = this.holderOf(wanted, field);
      if (holder === undefined) continue;
      return new NameTakenError(field, wanted[field] as string, isHolderRefused(holder, field));
    }
    return null;
  }
}

interface Renaming {
  readonly before: Identity & { readonly id: number };
  readonly after: Identity;
}

const changedNames = ({ before, after }: Renaming) =>
  identityFields.filter((field) => after[field] !== before[field]);

/** Returns changes that need a taken value. @param others all holders of wanted values @param allowSwaps also cycles */
export function findNameConflicts(
  renamings: readonly Renaming[],
  others: readonly Renaming['before'][],
  allowSwaps: boolean,
): Map<number, NameTakenError> {
  const refused = new Map<number, NameTakenError>();
  const releasedFields = new Map(
    allowSwaps ? renamings.map((one) => [one.before.id, changedNames(one)]) : [],
  );
  const isHolderRefused = (holder: number, field: IdentityField) =>
    refused.has(holder) && (releasedFields.get(holder)?.includes(field) ?? false);
  const refuse = (left: readonly Renaming[], taken: TakenNames, then: (one: Renaming) => void = () => {}) => {
    for (const one of left) {
      const fault = taken.findTaken(one.after, changedNames(one), isHolderRefused);
      if (fault) refused.set(one.before.id, fault);
      else then(one);
    }
  };
  // Repeats until no more changes are refused, because a refused student keeps values that other changes want.
  for (let sizeBefore = -1; sizeBefore < refused.size; ) {
    sizeBefore = refused.size;
    const left = renamings.filter(({ before }) => !refused.has(before.id));
    const keptNames = new TakenNames();
    for (const other of others) {
      const released = refused.has(other.id) ? [] : (releasedFields.get(other.id) ?? []);
      const kept = identityFields.filter((field) => !released.includes(field));
      keptNames.add(other, kept, other.id);
    }
    refuse(left, keptNames);
    if (refused.size > sizeBefore) continue;
    const claimedNames = new TakenNames();
    refuse(left, claimedNames, (one) => claimedNames.add(one.after, changedNames(one), one.before.id));
  }
  return refused;
}

const removable = fieldNamesWith(studentFields, { unique: true, nullable: true });

/** Frees values that students exchange, because not even one UPDATE can swap them. Sets temporary usernames. */
export async function releaseSwappedNames(data: SchoolData, renamings: readonly Renaming[]): Promise<void> {
  const wanted = new TakenNames();
  for (const one of renamings) wanted.add(one.after, changedNames(one), one.before.id);
  const ids = renamings.flatMap(({ before }) =>
    identityFields.some((field) => (wanted.holderOf(before, field) ?? before.id) !== before.id)
      ? before.id
      : [],
  );
  if (ids.length === 0) return;
  await data.execute(sql`
    UPDATE student SET username = chr(1) || id, ${assignments(studentFields, removable, () => 'NULL')}
    WHERE school_id = ${data.schoolId} AND id = ANY(${ids}::bigint[])`);
}
