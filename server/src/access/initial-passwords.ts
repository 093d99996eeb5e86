import { AppError, invalidValue } from '../app-error.ts';
import { hashPassword } from './passwords.ts';

const dayMs = 24 * 3_600_000;

/** Where a password that somebody gives to somebody else comes from: `shared` is given to several people at once. */
export type PasswordSource = 'generated' | 'given' | 'shared';

/** A password that somebody gives to somebody else, as it is stored. */
export interface InitialPassword {
  readonly hash: string;
  /** From when on it signs in no more, unless it was used before; null: it does not end. */
  readonly expiresAt: Date | null;
  readonly isInitial: true;
  readonly isShared: boolean;
}

interface UnusedDays {
  /** After so many days without a sign-in a generated password ends. */
  readonly generated: number;
  /** After so many days without a sign-in a password given in words ends; 0: never. */
  readonly given: number;
}

/** Passwords that somebody gives to somebody else: how long they wait to be used (docs/contract.md, Passwords). */
export class InitialPasswords {
  readonly #unusedDays: UnusedDays;

  constructor(unusedDays: UnusedDays) {
    this.#unusedDays = unusedDays;
  }

  /**
   * Hashes a password for its new owner.
   *
   * @param origin the school that it is for: schools take turns at hashing
   * @throws AppError unavailable: too many wait
   */
  async make(password: string, source: PasswordSource, at: Date, origin?: string): Promise<InitialPassword> {
    return {
      hash: await hashPassword(password, origin),
      expiresAt: this.endOf(source, at),
      isInitial: true,
      isShared: source === 'shared',
    };
  }

  /** Tells when a password that is made at this moment ends unused; null: never. */
  endOf(source: PasswordSource, at: Date): Date | null {
    const days = source === 'generated' ? this.#unusedDays.generated : this.#unusedDays.given;
    return days === 0 ? null : new Date(at.getTime() + days * dayMs);
  }
}

/**
 * Tells the password that the caller gives to a new account; null: one is generated.
 *
 * @throws AppError missing_field, invalid_value
 */
export function givenPassword(body: {
  readonly password?: string | undefined;
  readonly generatePassword?: boolean | undefined;
}): string | null {
  const { password = null, generatePassword = false } = body;
  if (password === null && !generatePassword) {
    const message = 'password is required; with generatePassword: true one is made and shown once';
    throw new AppError('missing_field', message);
  }
  if (password !== null && generatePassword) {
    throw invalidValue('Send password or generatePassword: true, not both');
  }
  return password;
}

/** A right password that was not used in time. @param giver who can make a new one */
export const passwordEnded = (giver: string) =>
  new AppError(
    'unauthenticated',
    `This password was not used in time and has ended; ask ${giver} for a new one`,
    null,
    null,
    {
      reason: 'passwordEnded',
    },
  );

/** What an answer tells of the end of a password that it has set. */
export const endOf = ({ expiresAt }: Pick<InitialPassword, 'expiresAt'>) => ({
  passwordEndsAt: expiresAt?.toISOString() ?? null,
});

/** What is stored where a password was given by somebody else. */
export const initialColumns = ({ hash, expiresAt }: InitialPassword) => ({
  password_hash: hash,
  password_is_initial: true,
  password_is_used: false,
  password_expires_at: expiresAt,
});

/** What is stored where people choose their own password. */
export const chosenColumns = (hash: string) => ({
  password_hash: hash,
  password_is_initial: false,
  password_is_used: true,
  password_expires_at: null,
});

/** The same for a student, who may have one that others have too. */
export const initialColumnsOfStudent = (initial: InitialPassword) => ({
  ...initialColumns(initial),
  password_is_shared: initial.isShared,
});

/** The same for a student. */
export const chosenColumnsOfStudent = (hash: string) => ({
  ...chosenColumns(hash),
  password_is_shared: false,
});
