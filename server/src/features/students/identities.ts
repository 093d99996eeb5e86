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

/** Somebody who has names and numbers, or is about to get them. */
type Holder = Identity & { readonly id?: number };

type IdentityField = keyof Identity;

/** Somebody else in the school has it. */
export class TakenError extends AppError {
  readonly field: IdentityField;

  constructor(field: IdentityField, value: string) {
    // Answers are stored, and what they say of others is not found again when those are erased.
    const quoted = field === 'username' ? ` ${JSON.stringify(value)}` : '';
    super('conflict', `The ${words[field]}${quoted} is taken`);
    this.field = field;
  }
}

const words = { username: 'username', externalId: 'external id', cardNumber: 'card number' } as const;
const fields = Object.keys(words) as IdentityField[];

/** The students of the school, of the range or not, who have one of these usernames, external ids or cards. */
export async function readIdentities(
  data: SchoolData,
  wanted: readonly Partial<Identity>[],
): Promise<KnownStudent[]> {
  const valuesOf = (field: IdentityField) => wanted.flatMap((student) => student[field] ?? []);
  if (fields.every((field) => valuesOf(field).length === 0)) return [];
  return data.execute(sql<KnownStudent>`
    SELECT id, class_id AS "classId", username, external_id AS "externalId", card_number AS "cardNumber" FROM student
    WHERE school_id = ${data.schoolId} AND (username = ANY(${valuesOf('username')}::text[])
      OR external_id = ANY(${valuesOf('externalId')}::text[])
      OR card_number = ANY(${valuesOf('cardNumber')}::text[]))`);
}

/** What a student wants and one of these has; null where nothing is. */
export function takenBy(others: readonly Holder[], wanted: Partial<Holder>): TakenError | null {
  for (const field of fields) {
    const value = wanted[field];
    if (value === undefined || value === null) continue;
    const isTaken = others.some(
      (other) => other[field] === value && (other.id === undefined || other.id !== wanted.id),
    );
    if (isTaken) return new TakenError(field, value);
  }
  return null;
}
