import type { ImportEntry } from '@classledger/contract';
import type { SchoolData } from '../../access/school-data.ts';
import { conflict } from '../../errors/app-error.ts';
import { type IdentityField, identityFields } from '../../fields/students.ts';
import { readIdentities, type WantedNames } from '../students/identities.ts';

/** The most students that a transaction locks, unless more depend on each other. */
const partRowsMax = 200;

/** The most students that can depend on each other, because writes of their points wait for the whole part. */
const groupRowsMax = 1_000;

export const tooManyLinkedEntries = () =>
  conflict(`More than ${groupRowsMax} entries take usernames or numbers from each other; use smaller lists`);

interface PlannedParts {
  /** Indexes of the entries. */
  readonly parts: readonly (readonly number[])[];
  /** Indexes of entries that depend on too many others. These entries fail. */
  readonly rejected: readonly number[];
}

/**
 * Divides entries into parts, one transaction each. An entry shares a part with each entry that wants a username or
 * number of its student, so that students can exchange these. @param entries null for those to leave out
 */
export async function planParts(
  data: SchoolData,
  entries: readonly (ImportEntry | null)[],
  rowsMax = partRowsMax,
): Promise<PlannedParts> {
  const names = new LinkedNames();
  const given = entries.filter((entry) => entry !== null);
  for (const entry of given) names.link(entry);
  for (const student of await readIdentities(data, given)) names.link(student);
  const places = entries.flatMap((entry, place) => (entry ? [{ entry, place }] : []));
  const groups = Map.groupBy(places, ({ entry }) => names.groupOf(entry));
  const parts: number[][] = [];
  const rejected: number[] = [];
  for (const members of groups.values()) {
    const group = members.map(({ place }) => place);
    const last = parts.at(-1);
    if (group.length > groupRowsMax) rejected.push(...group);
    else if (last && last.length + group.length <= rowsMax) last.push(...group);
    else parts.push(group);
  }
  return { parts: parts.map((part) => part.toSorted((one, other) => one - other)), rejected };
}

type AnyNames = { readonly [Field in IdentityField]?: string | null | undefined };

const namesOf = (student: AnyNames) =>
  identityFields.flatMap((field) => (student[field] ? [`${field} ${student[field]}`] : []));

/** Groups usernames and numbers that are linked directly or through others (a union-find). */
class LinkedNames {
  readonly #parents = new Map<string, string>();

  link(student: AnyNames): void {
    const [first, ...others] = namesOf(student);
    if (first === undefined) return;
    const root = this.#rootOf(first);
    for (const name of others) {
      const other = this.#rootOf(name);
      if (other !== root) this.#parents.set(other, root);
    }
  }

  groupOf(entry: WantedNames): string {
    return this.#rootOf(namesOf(entry)[0] ?? '');
  }

  #rootOf(name: string): string {
    const path: string[] = [];
    let root = name;
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root)) {
      path.push(root);
      root = parent;
    }
    // Links all passed names to the root, to shorten later searches.
    for (const passed of path) this.#parents.set(passed, root);
    return root;
  }
}
