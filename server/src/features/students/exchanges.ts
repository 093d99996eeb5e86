import { sql } from 'kysely';
import type { SchoolData } from '../../access/school-data.ts';
import { type Identity, type IdentityField, identityFields, TakenError } from './identities.ts';

/** What somebody is called before a change and after it. */
export interface Renaming {
  readonly before: Identity & { readonly id: number };
  readonly after: Identity;
}

/** Names and numbers that one student at most has, each with its kind: a card may have the number of an external id. */
class Taken {
  readonly #holders = new Map<string, number>();

  add(field: IdentityField, value: string | null, holder: number): void {
    if (value !== null) this.#holders.set(`${field} ${value}`, holder);
  }

  /** Who has it; undefined: nobody. */
  holderOf(field: IdentityField, value: string | null): number | undefined {
    return this.#holders.get(`${field} ${value}`);
  }
}

const changedIn = ({ before, after }: Renaming) =>
  identityFields.filter((field) => after[field] !== before[field]);

/**
 * Which of the changes cannot be made, because somebody else has a name or number, or a change before it gets it.
 *
 * @param others everybody who has what one of the changes wants
 * @param exchanges what one gives up, another may get: also in a circle. Who is refused keeps the own, and who wanted that is refused too.
 */
export function refuseTaken(
  renamings: readonly Renaming[],
  others: readonly Renaming['before'][],
  exchanges: boolean,
): Map<number, TakenError> {
  const refused = new Map<number, TakenError>();
  const givingOf = new Map(exchanges ? renamings.map((one) => [one.before.id, changedIn(one)]) : []);
  const refuse = (left: readonly Renaming[], taken: Taken, then: (one: Renaming) => void = () => {}) => {
    for (const one of left) {
      const fault = faultOf(one, taken, (holder, field) =>
        Boolean(refused.has(holder) && givingOf.get(holder)?.includes(field)),
      );
      if (fault) refused.set(one.before.id, fault);
      else then(one);
    }
  };
  // Each who is refused keeps something, which may be in the way of another.
  for (let sizeBefore = -1; sizeBefore < refused.size; ) {
    sizeBefore = refused.size;
    const left = renamings.filter(({ before }) => !refused.has(before.id));
    const stays = new Taken();
    for (const other of others) {
      const gone = refused.has(other.id) ? [] : (givingOf.get(other.id) ?? []);
      for (const field of identityFields) if (!gone.includes(field)) stays.add(field, other[field], other.id);
    }
    refuse(left, stays);
    if (refused.size > sizeBefore) continue;
    const comes = new Taken();
    refuse(left, comes, (one) => {
      for (const field of changedIn(one)) comes.add(field, one.after[field], one.before.id);
    });
  }
  return refused;
}

/** What somebody wants and another has, or is about to get; null where nothing is. */
function faultOf(
  renaming: Renaming,
  taken: Taken,
  isInTurn: (holder: number, field: IdentityField) => boolean,
): TakenError | null {
  for (const field of changedIn(renaming)) {
    const value = renaming.after[field];
    const holder = taken.holderOf(field, value);
    if (value === null || holder === undefined) continue;
    return new TakenError(field, value, isInTurn(holder, field));
  }
  return null;
}

/**
 * Takes away from students of a transaction what others of them are about to get, because no two may have it even for one
 * statement. Until they get their own, they are called what nobody can be called.
 */
export async function freeExchanged(data: SchoolData, renamings: readonly Renaming[]): Promise<void> {
  const wanted = new Taken();
  for (const renaming of renamings) {
    for (const field of changedIn(renaming)) wanted.add(field, renaming.after[field], renaming.before.id);
  }
  const ids = renamings.flatMap(({ before }) =>
    identityFields.some((field) => (wanted.holderOf(field, before[field]) ?? before.id) !== before.id)
      ? before.id
      : [],
  );
  if (ids.length === 0) return;
  await data.execute(sql`
    UPDATE student SET username = chr(1) || id, external_id = NULL, card_number = NULL
    WHERE school_id = ${data.schoolId} AND id = ANY(${ids}::bigint[])`);
}
