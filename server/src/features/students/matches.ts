import { type AppError, conflict } from '../../app-error.ts';
import type { KnownStudent, Names } from './identities.ts';

interface NamedEntry {
  readonly username?: string | undefined;
  readonly externalId?: string | null | undefined;
  readonly cardNumber?: string | null | undefined;
}

/** Returns the names by which an entry finds its student. */
export const namesOf = ({ username, externalId }: NamedEntry) => ({
  ...(username !== undefined && { username }),
  ...(externalId && { externalId }),
});

/** Finds the students that entries mean, among the students who have one of the entries' names. */
export class Matches {
  readonly #known: readonly KnownStudent[];
  /** Usernames that an entry replaces and that other entries may take. */
  readonly #givenUp: ReadonlySet<string>;
  readonly #meaning: ReadonlyMap<number, NamedEntry>;

  /** @param exchanging entries that may take each other's names; empty when exchanges are not allowed */
  constructor(known: readonly KnownStudent[], exchanging: readonly NamedEntry[]) {
    this.#known = known;
    this.#givenUp = new Set(
      exchanging.flatMap(({ externalId, username }) => {
        const found = externalId ? this.#having('externalId', externalId) : undefined;
        return found && username !== undefined && found.username !== username ? found.username : [];
      }),
    );
    this.#meaning = new Map(
      exchanging.flatMap((entry) => {
        const found = this.match(entry);
        return found && 'id' in found ? [[found.id, entry] as const] : [];
      }),
    );
  }

  #having(field: 'username' | 'externalId', value: string): KnownStudent | undefined {
    return this.#known.find((student) => student[field] === value);
  }

  /** Returns the student that an entry means, or null when there is none yet. */
  match({ externalId, username }: NamedEntry): KnownStudent | AppError | null {
    const named = username === undefined ? undefined : this.#having('username', username);
    if (!externalId) return named ?? null;
    const found = this.#having('externalId', externalId);
    if (!named || (named.id !== found?.id && this.#givenUp.has(named.username))) return found ?? null;
    if (found && named.id !== found.id) return conflict('externalId and username name different students');
    // Another person with the same username. Changing a student's external id takes a change of its own.
    if (!found && named.externalId !== null) {
      return conflict(
        `The username ${JSON.stringify(username)} is that of a student with another external id`,
      );
    }
    return named;
  }

  keptBy(student: KnownStudent): Names {
    const entry = this.#meaning.get(student.id);
    if (!entry) return student;
    const kept = <T extends string | null>(wanted: string | null | undefined, own: T) =>
      wanted === undefined || wanted === own ? own : null;
    return {
      username: kept(entry.username, student.username),
      externalId: kept(entry.externalId, student.externalId),
      cardNumber: kept(entry.cardNumber, student.cardNumber),
    };
  }
}
