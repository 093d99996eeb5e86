import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { AppError } from '../../app-error.ts';

/** What names a student, each unique in the school. */
export interface Identity {
  readonly username: string;
  readonly externalId: string | null;
  readonly cardNumber: string | null;
}

export interface KnownStudent extends Identity {
  readonly id: number;
  readonly classId: number;
}

/** What somebody has of it, or is about to get. */
export type Names = { readonly [Field in IdentityField]: Identity[Field] | null };

export type IdentityField = keyof Identity;

/** Somebody else in the school has it. */
export class TakenError extends AppError {
  readonly field: IdentityField;
  /** Its holder would give it up, and is refused the own change. */
  readonly inTurn: boolean;

  constructor(field: IdentityField, value: string, inTurn = false) {
    // Answers are stored, and what they say of others is not found again when those are erased.
    const quoted = field === 'username' ? ` ${JSON.stringify(value)}` : '';
    super('conflict', `The ${words[field]}${quoted} is taken`);
    this.field = field;
    this.inTurn = inTurn;
  }
}

const words = { username: 'username', externalId: 'external id', cardNumber: 'card number' } as const;
export const identityFields = Object.keys(words) as IdentityField[];

/** The students of the school, of the range or not, who have one of these usernames, external ids or cards. */
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

/** What a student wants and one of these has; null where nothing is. */
export function takenBy(others: readonly Names[], wanted: Identity): TakenError | null {
  for (const field of identityFields) {
    const value = wanted[field];
    if (value !== null && others.some((other) => other[field] === value)) return new TakenError(field, value);
  }
  return null;
}
