import type { ListedStudent } from '@classledger/contract';
import { createContext, use, useCallback, useMemo } from 'react';
import { commonTexts } from '../i18n/common-texts.ts';
import { toHalfWidth } from '../i18n/letters.ts';
import { useTexts } from '../i18n/texts.ts';

export type NamedStudent = Pick<ListedStudent, 'actualName' | 'username'>;

export interface StudentNames {
  /** Returns the student number if another shown student has the same name; otherwise null. */
  readonly numberOf: (student: NamedStudent) => string | null;
  readonly textOf: (student: NamedStudent) => string;
}

/** Returns whether the name is the server's pseudonym, such as "Erased 7". Prefer the field `erased` if present. */
export const isPseudonym = ({ actualName, username }: NamedStudent): boolean =>
  actualName === username && pseudonym.test(actualName);

const pseudonym = /^Erased (\d+)(?:-\d+)?$/;

export function useShownName(): (student: NamedStudent) => string {
  const c = useTexts(commonTexts);
  return useCallback(
    (student) =>
      isPseudonym(student)
        ? c('erasedName', { id: pseudonym.exec(student.actualName)?.[1] ?? '' })
        : student.actualName,
    [c],
  );
}

// Makes names equal that look equal to people.
const normalizedName = (name: string) => toHalfWidth(name).replaceAll(/\s+/g, ' ').toLowerCase();

/** Returns the usernames of students who share a name. @param students may repeat a student, as in records */
export function usernamesOfNamesakes(students: Iterable<NamedStudent>): ReadonlySet<string> {
  const byName = new Map<string, Set<string>>();
  for (const { actualName, username } of students) {
    const name = normalizedName(actualName);
    byName.set(name, (byName.get(name) ?? new Set()).add(username));
  }
  return new Set([...byName.values()].filter(({ size }) => size > 1).flatMap((usernames) => [...usernames]));
}

/** Returns a function that names students on paper; it adds the student number to names that are equal in `rows`. */
export function useNamesAmong(): (rows: Iterable<NamedStudent>) => StudentNames['textOf'] {
  const makeNames = useMakeNames();
  return (rows) => makeNames(usernamesOfNamesakes(rows)).textOf;
}

/** Names the students in `shown`; adds the student number to equal names. Changes only if the equal names change. */
export function useDistinctStudentNames(shown: Iterable<NamedStudent> = []): StudentNames {
  const makeNames = useMakeNames();
  const namesakes = useMemo(() => [...usernamesOfNamesakes(shown)].sort().join('\n'), [shown]);
  return useMemo(() => makeNames(new Set(namesakes.split('\n'))), [makeNames, namesakes]);
}

function useMakeNames(): (namesakes: ReadonlySet<string>) => StudentNames {
  const c = useTexts(commonTexts);
  const nameOf = useShownName();
  return useCallback(
    (namesakes) => {
      const numberOf = ({ username }: NamedStudent) => (namesakes.has(username) ? username : null);
      return {
        numberOf,
        textOf: (student) => {
          const number = numberOf(student);
          return number === null ? nameOf(student) : c('nameWithNumber', { name: nameOf(student), number });
        },
      };
    },
    [c, nameOf],
  );
}

/** Provides the names for a class or list: `<StudentNamesContext value={useDistinctStudentNames(students)}>`. */
export const StudentNamesContext = createContext<StudentNames | null>(null);

export function useStudentNames(): StudentNames {
  const names = use(StudentNamesContext);
  const nameOf = useShownName();
  return useMemo(() => names ?? { numberOf: () => null, textOf: nameOf }, [names, nameOf]);
}
