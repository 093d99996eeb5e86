import type { StudentIdentity } from '@classledger/contract';
import { type AppError, conflict } from '../../errors/app-error.ts';
import { mapNames } from '../../fields/fields.ts';
import { identityFields } from '../../fields/students.ts';
import type { Names, WantedNames } from './identities.ts';

/** Leaves out the card number, because a card number alone does not identify a student. */
export const namesToMatch = ({ username, externalId }: WantedNames): WantedNames => ({
  username,
  externalId,
});

/** Finds the student of each entry among the students who have a username or external id of an entry. */
export class StudentMatcher {
  readonly #byUsername: ReadonlyMap<string, StudentIdentity>;
  readonly #byExternalId: ReadonlyMap<string | null, StudentIdentity>;
  /** Usernames that an entry replaces and that other entries can take. */
  readonly #releasedUsernames: ReadonlySet<string>;
  readonly #entriesByStudent: ReadonlyMap<number, WantedNames>;

  /** @param swapping entries whose students can exchange names; empty when exchanges are not allowed */
  constructor(known: readonly StudentIdentity[], swapping: readonly WantedNames[]) {
    this.#byUsername = new Map(known.map((student) => [student.username, student]));
    this.#byExternalId = new Map(known.map((student) => [student.externalId, student]));
    this.#releasedUsernames = new Set(
      swapping.flatMap(({ externalId, username }) => {
        const found = externalId ? this.#byExternalId.get(externalId) : undefined;
        return found && username !== undefined && found.username !== username ? found.username : [];
      }),
    );
    this.#entriesByStudent = new Map(
      swapping.flatMap((entry) => {
        const found = this.match(entry);
        return found && 'id' in found ? [[found.id, entry] as const] : [];
      }),
    );
  }

  match({ externalId, username }: WantedNames): StudentIdentity | AppError | null {
    const named = username === undefined ? undefined : this.#byUsername.get(username);
    if (!externalId) return named ?? null;
    const found = this.#byExternalId.get(externalId);
    if (!named || (named.id !== found?.id && this.#releasedUsernames.has(named.username)))
      return found ?? null;
    if (found && named.id !== found.id) return conflict('externalId and username name different students');
    // A batch cannot replace the external id of a student whom it finds by username, who may be another person.
    if (!found && named.externalId !== null) {
      return conflict(
        `The username ${JSON.stringify(username)} is that of a student with another external id`,
      );
    }
    return named;
  }

  remainingNames(student: StudentIdentity): Names {
    const entry = this.#entriesByStudent.get(student.id);
    if (!entry) return student;
    return mapNames(identityFields, (field) => {
      const wanted = entry[field];
      return wanted === undefined || wanted === student[field] ? student[field] : null;
    });
  }
}
