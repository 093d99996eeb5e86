import { AppError, invalidValue, refusalWithReason } from '../errors/app-error.ts';
import { hashPassword } from './passwords.ts';

const dayMs = 24 * 3_600_000;

export type PasswordSource = 'generated' | 'given' | 'shared';

export interface InitialPassword {
  readonly hash: string;
  /** When the password expires if it is not used before; null if it never expires. */
  readonly expiresAt: Date | null;
  readonly isInitial: true;
  readonly isShared: boolean;
}

interface UnusedDays {
  readonly generated: number;
  /** For a password that the caller chose. 0 means that it never expires. */
  readonly given: number;
}

export class InitialPasswords {
  readonly #unusedDays: UnusedDays;

  constructor(unusedDays: UnusedDays) {
    this.#unusedDays = unusedDays;
  }

  async create(
    password: string,
    source: PasswordSource,
    at: Date,
    origin?: string,
  ): Promise<InitialPassword> {
    return {
      hash: await hashPassword(password, origin),
      expiresAt: this.expiryOf(source, at),
      isInitial: true,
      isShared: source === 'shared',
    };
  }

  expiryOf(source: PasswordSource, at: Date): Date | null {
    const days = source === 'generated' ? this.#unusedDays.generated : this.#unusedDays.given;
    return days === 0 ? null : new Date(at.getTime() + days * dayMs);
  }
}

/** Returns the password set by the caller, or null to generate one. @throws AppError missing_field, invalid_value */
export function requestedPassword(body: {
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

export const passwordExpiredError = (giver: string) =>
  refusalWithReason(
    'passwordEnded',
    'unauthenticated',
    `This password was not used in time and has ended; ask ${giver} for a new one`,
  );

export const passwordEndsAtField = ({ expiresAt }: Pick<InitialPassword, 'expiresAt'>) => ({
  passwordEndsAt: expiresAt?.toISOString() ?? null,
});

export const initialPasswordColumns = ({ hash, expiresAt }: InitialPassword) => ({
  password_hash: hash,
  password_is_initial: true,
  password_is_used: false,
  password_expires_at: expiresAt,
});

export const chosenPasswordColumns = (hash: string) => ({
  password_hash: hash,
  password_is_initial: false,
  password_is_used: true,
  password_expires_at: null,
});

export const initialStudentPasswordColumns = (initial: InitialPassword) => ({
  ...initialPasswordColumns(initial),
  password_is_shared: initial.isShared,
});

export const chosenStudentPasswordColumns = (hash: string) => ({
  ...chosenPasswordColumns(hash),
  password_is_shared: false,
});
