import { createContext, use, useCallback, useMemo } from 'react';
import { commonTexts } from '../i18n/common-texts.ts';
import { narrow } from '../i18n/letters.ts';
import { useTexts } from '../i18n/texts.ts';

/** Whoever has a name, and a student number that no one else of the school has. */
export interface Named {
  readonly actualName: string;
  readonly username: string;
}

/** How students are called where they are shown together. */
export interface StudentNames {
  /** The student number where another one shown here has the same name; null where the name says enough. */
  readonly numberOf: (student: Named) => string | null;
  /** The name in a sentence, with the number where it takes that. */
  readonly textOf: (student: Named) => string;
}

/**
 * Whether the personal data was erased, told by the name that the server gives then: "Erased" and the id. Where an
 * answer carries `erased`, that says it.
 */
export const isPseudonym = ({ actualName, username }: Named): boolean =>
  actualName === username && pseudonym.test(actualName);

const pseudonym = /^Erased (\d+)(?:-\d+)?$/;

/** The name as the page's language says it: that of an erased student is a word with a number. */
export function useShownName(): (student: Named) => string {
  const c = useTexts(commonTexts);
  return useCallback(
    (student) =>
      isPseudonym(student)
        ? c('erasedName', { id: pseudonym.exec(student.actualName)?.[1] ?? '' })
        : student.actualName,
    [c],
  );
}

// No one sees a difference between these.
const readAs = (name: string) => narrow(name).replaceAll(/\s+/g, ' ').toLowerCase();

/**
 * Who of those shown in one class or list cannot be told from another by name.
 *
 * @param shown someone may be among them more than once, as in a list of records
 * @returns their usernames
 */
export function namesakesAmong(shown: Iterable<Named>): ReadonlySet<string> {
  const byName = new Map<string, Set<string>>();
  for (const { actualName, username } of shown) {
    const name = readAs(actualName);
    byName.set(name, (byName.get(name) ?? new Set()).add(username));
  }
  return new Set([...byName.values()].filter(({ size }) => size > 1).flatMap((usernames) => [...usernames]));
}

/** See {@link namesakesAmong}. The same object as long as it tells the same ones apart. */
export function useNamesAmong(shown: Iterable<Named>): StudentNames {
  const c = useTexts(commonTexts);
  const nameOf = useShownName();
  const namesakes = useMemo(() => [...namesakesAmong(shown)].sort().join('\n'), [shown]);
  return useMemo(() => {
    const known = new Set(namesakes.split('\n'));
    const numberOf = ({ username }: Named) => (known.has(username) ? username : null);
    return {
      numberOf,
      textOf: (student) => {
        const number = numberOf(student);
        return number === null ? nameOf(student) : c('nameWithNumber', { name: nameOf(student), number });
      },
    };
  }, [c, nameOf, namesakes]);
}

/** Of the class or list that is shown around: `<StudentNamesContext value={useNamesAmong(students)}>`. */
export const StudentNamesContext = createContext<StudentNames | null>(null);

export function useStudentNames(): StudentNames {
  const names = use(StudentNamesContext);
  const nameOf = useShownName();
  return useMemo(() => names ?? { numberOf: () => null, textOf: nameOf }, [names, nameOf]);
}
