import type { ImportEntry } from '@classledger/contract';
import type { SchoolData } from '../../access/school-data.ts';
import { type IdentityField, identityFields } from '../../fields/students.ts';
import { readIdentities, type WantedNames } from '../students/identities.ts';

/** Students that a transaction locks, unless more depend on each other. */
const partRowsMax = 200;

/**
 * Cuts entries into parts, each for a transaction of its own. Entries that share a name or number, also through the
 * student who has it now, are in one part of any size: so they can exchange it. @returns places in `entries`
 */
export async function planParts(
  data: SchoolData,
  entries: readonly ImportEntry[],
  rowsMax = partRowsMax,
): Promise<number[][]> {
  const names = new LinkedNames();
  for (const entry of entries) names.link(entry);
  for (const student of await readIdentities(data, entries)) names.link(student);
  const groups = Map.groupBy(entries.keys(), (place) => names.groupOf(entries[place] as ImportEntry));
  const parts: number[][] = [];
  for (const group of groups.values()) {
    const last = parts.at(-1);
    if (last && last.length + group.length <= rowsMax) last.push(...group);
    else parts.push(group);
  }
  return parts.map((part) => part.toSorted((one, other) => one - other));
}

type AnyNames = { readonly [Field in IdentityField]?: string | null | undefined };

const namesOf = (student: AnyNames) =>
  identityFields.flatMap((field) => (student[field] ? [`${field} ${student[field]}`] : []));

/** Groups names that belong together (a union-find). */
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
    // Shortens later searches.
    for (const passed of path) this.#parents.set(passed, root);
    return root;
  }
}
