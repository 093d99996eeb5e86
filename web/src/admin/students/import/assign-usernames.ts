import type { ListedStudent } from '@classledger/contract';
import { removeNameBlanks } from '../../lists/normalize-text.ts';
import { lookalikeKey, type NamelessStudent, proposeUsernames } from './propose-usernames.ts';

export interface NamingOptions {
  readonly pattern: string;
  readonly schoolYear: number;
  readonly students: readonly ListedStudent[];
  /** Proposed usernames that the server reported as taken. */
  readonly refused: ReadonlySet<string>;
}

export interface NamelessRow extends NamelessStudent {
  /** Null if the class is missing or unknown to the school. */
  readonly classId: number | null;
  readonly externalId: string | null;
  readonly cardNumber: string | null;
}

export interface NamedRow {
  readonly username: string;
  /** `new`: the username is proposed; `known`: an existing student has it. */
  readonly who: 'new' | 'known';
  readonly problem: 'nameMissing' | 'nameAmbiguous' | 'patternEmpty' | null;
  /** For a new student, an existing student with the same name in another class. */
  readonly namesake: ListedStudent | null;
}

/** Finds existing students by external id, or by class and name. Proposes usernames for all others. */
export function assignUsernames(rows: readonly NamelessRow[], naming: NamingOptions): NamedRow[] {
  const { students, refused } = naming;
  const present = students.filter(({ erased }) => !erased);
  const byExternalId = new Map(present.map((student) => [student.externalId, student]));
  const byName = Map.groupBy(present, ({ actualName }) => removeNameBlanks(actualName));
  const keyOf = (classId: number | null, name: string) => `${classId} ${name}`;
  const byPlace = Map.groupBy(present, ({ classId, actualName }) =>
    keyOf(classId, removeNameBlanks(actualName)),
  );
  const linked = rows.map(({ externalId }) =>
    externalId === null ? undefined : byExternalId.get(externalId),
  );
  const isLinked = new Set(linked);
  const rowsByPlace = Map.groupBy(
    rows.filter((_, index) => !linked[index]),
    ({ classId, name }) => keyOf(classId, name),
  );
  const found = rows.map((row, index): ListedStudent | 'nameAmbiguous' | null => {
    if (linked[index]) return linked[index];
    const key = keyOf(row.classId, row.name);
    const own = rowsByPlace.get(key) ?? [];
    const known = (byPlace.get(key) ?? []).filter((student) => !isLinked.has(student));
    if (known.length === 0) return null;
    // Rows of students with one name may be swapped, which is harmless if the list has all of them without numbers.
    const isSafe = own.every(({ externalId, cardNumber }) => externalId === null && cardNumber === null);
    const isOne = own.length === 1 && known.length === 1;
    if (!isOne && (!isSafe || own.length < known.length)) return 'nameAmbiguous';
    return known[own.indexOf(row)] ?? null;
  });
  const isNew = (index: number) => found[index] === null && rows[index]?.name !== '';
  const proposals = proposeUsernames(
    rows.filter((_, index) => isNew(index)),
    {
      ...naming,
      taken: new Set([
        ...students.map(({ username }) => lookalikeKey(username)),
        ...[...refused].map(lookalikeKey),
      ]),
    },
  ).values();
  return rows.map((row, index): NamedRow => {
    const student = found[index];
    const nobody = { username: '', who: 'new', namesake: null } as const;
    if (row.name === '' && !student) return { ...nobody, problem: 'nameMissing' };
    if (student === 'nameAmbiguous') return { ...nobody, problem: 'nameAmbiguous' };
    if (student) return { username: student.username, who: 'known', problem: null, namesake: null };
    const username = proposals.next().value ?? '';
    const namesake = byName.get(row.name)?.find(({ classId }) => classId !== row.classId) ?? null;
    return { username, who: 'new', problem: username === '' ? 'patternEmpty' : null, namesake };
  });
}
