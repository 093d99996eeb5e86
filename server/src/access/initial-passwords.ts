import { hashPassword } from './passwords.ts';

const dayMs = 24 * 3_600_000;
/** Everyone of a class knows it. */
const sharedDays = 7;

/** A password that somebody gives to somebody else, as it is stored. */
export interface InitialPassword {
  readonly hash: string;
  /** From when on it signs in no more, unless it was used before; one that is shared ends in any case. */
  readonly expiresAt: Date;
  /** Given to several people at once. */
  readonly shared: boolean;
}

/** Passwords that somebody gives to somebody else: how long they wait to be used (docs/contract.md, Passwords). */
export class InitialPasswords {
  readonly #unusedDays: number;

  /** @param unusedDays after so many days without a sign-in one ends */
  constructor(unusedDays: number) {
    this.#unusedDays = unusedDays;
  }

  /**
   * @param origin the school that it is for: schools take turns at hashing
   * @throws AppError unavailable: too many wait
   */
  async make(password: string, at: Date, origin?: string): Promise<InitialPassword> {
    return {
      hash: await hashPassword(password, origin),
      expiresAt: new Date(at.getTime() + this.#unusedDays * dayMs),
      shared: false,
    };
  }

  /** One of several that are alike. @throws AppError unavailable: too many wait */
  async makeShared(password: string, at: Date, origin: string): Promise<InitialPassword> {
    return { hash: await hashPassword(password, origin), expiresAt: this.sharedEnd(at), shared: true };
  }

  /** When one that is given to several people at this moment ends. */
  sharedEnd(at: Date): Date {
    return new Date(at.getTime() + Math.min(sharedDays, this.#unusedDays) * dayMs);
  }
}

/** What is stored where a password was given by somebody else. */
export const initialColumns = ({ hash, expiresAt }: InitialPassword) => ({
  password_hash: hash,
  password_is_initial: true,
  password_expires_at: expiresAt,
});

/** What is stored where people choose their own password. */
export const chosenColumns = (hash: string) => ({
  password_hash: hash,
  password_is_initial: false,
  password_expires_at: null,
});

/** The same for a student, who may have one that others have too. */
export const initialColumnsOfStudent = (initial: InitialPassword) => ({
  ...initialColumns(initial),
  password_is_shared: initial.shared,
});

/** The same for a student. */
export const chosenColumnsOfStudent = (hash: string) => ({
  ...chosenColumns(hash),
  password_is_shared: false,
});
