import { StudentIdentity } from '@classledger/contract';
import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { AppError } from '../../errors/app-error.ts';
import { expressionOf, selectionOf } from '../../fields/fields.ts';
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

/** Usernames, external ids and card numbers of students, each kind apart: a card number can equal an external id. */
export class TakenNames {
  readonly #held = new Set<string>();

  constructor(students: readonly Names[]) {
    for (const student of students) this.add(student);
  }

  add(student: Names): void {
    for (const field of identityFields) {
      if (student[field] !== null) this.#held.add(`${field} ${student[field]}`);
    }
  }

  findTaken(wanted: Identity): NameTakenError | null {
    for (const field of identityFields) {
      const value = wanted[field];
      if (value !== null && this.#held.has(`${field} ${value}`)) return new NameTakenError(field, value);
    }
    return null;
  }
}
