import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { AppError } from '../../errors/app-error.ts';

/** The names of a student, each unique in the school. */
export interface Identity {
  readonly username: string;
  readonly externalId: string | null;
  readonly cardNumber: string | null;
}

export interface KnownStudent extends Identity {
  readonly id: number;
  readonly classId: number;
}

export type Names = { readonly [Field in IdentityField]: Identity[Field] | null };

export type IdentityField = keyof Identity;

/** Another student in the school has the value. */
export class TakenError extends AppError {
  readonly field: IdentityField;
  /** The holder's change would free the value but is refused. */
  readonly isHolderRefused: boolean;

  constructor(field: IdentityField, value: string, isHolderRefused = false) {
    // Stored answers would keep an external id or card number beyond its holder's erasure.
    const quoted = field === 'username' ? ` ${JSON.stringify(value)}` : '';
    super('conflict', `The ${fieldNames[field]}${quoted} is taken`);
    this.field = field;
    this.isHolderRefused = isHolderRefused;
  }
}

const fieldNames = { username: 'username', externalId: 'external id', cardNumber: 'card number' } as const;
export const identityFields = Object.keys(fieldNames) as IdentityField[];

/** Reads the students of the whole school, also outside the range, who have one of these names. */
export async function readIdentities(
  data: SchoolData,
  wanted: readonly Partial<Identity>[],
): Promise<KnownStudent[]> {
  const valuesOf = (field: IdentityField) => wanted.flatMap((student) => student[field] ?? []);
  if (identityFields.every((field) => valuesOf(field).length === 0)) return [];
  return data.execute(sql<KnownStudent>`
    SELECT id, class_id AS "classId", username, external_id AS "externalId", card_number AS "cardNumber" FROM student
    WHERE school_id = ${data.schoolId} AND (username = ANY(${valuesOf('username')}::text[])
      OR external_id = ANY(${valuesOf('externalId')}::text[])
      OR card_number = ANY(${valuesOf('cardNumber')}::text[]))`);
}

export function findTakenNameError(others: readonly Names[], wanted: Identity): TakenError | null {
  for (const field of identityFields) {
    const value = wanted[field];
    if (value !== null && others.some((other) => other[field] === value)) return new TakenError(field, value);
  }
  return null;
}
