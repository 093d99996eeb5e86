import { useNavigate, useSearch } from '@tanstack/react-router';
import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react';
import type { RowOf } from '../api/operation-types.ts';
import { useOperation } from '../api/queries.ts';
import { ErrorState } from '../components/ErrorState.tsx';
import { useMe } from './me.ts';
import { PageLoading } from './shell/PageLoading.tsx';

type School = RowOf<'listSchools'>;

interface Schools {
  /** Those in the own range. */
  readonly schools: readonly School[];
  /** The one that the pages are about; null while there is none at all. */
  readonly school: School | null;
  /** False where nobody chose it: it is the first one then. */
  readonly isChosen: boolean;
  readonly choose: (schoolDb: string) => void;
}

const SchoolContext = createContext<Schools | null>(null);
const lastKey = 'classledger.school';

/** Provides the school: the own one, or the one that a super administrator has chosen. */
export function SchoolProvider({ children }: { readonly children: ReactNode }) {
  const { data, error, isPending, refetch } = useOperation('listSchools');
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const choose = useCallback(
    (schoolDb: string) => {
      localStorage.setItem(lastKey, schoolDb);
      void navigate({ to: '.', search: (before) => ({ ...before, school: schoolDb }) });
    },
    [navigate],
  );
  const wanted = search.school ?? localStorage.getItem(lastKey);
  const value = useMemo(() => {
    const schools = data ?? [];
    const chosen = schools.find(({ schoolDb }) => schoolDb === wanted);
    return { schools, school: chosen ?? schools[0] ?? null, isChosen: chosen !== undefined, choose };
  }, [data, wanted, choose]);
  if (isPending) return <PageLoading />;
  if (!data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <SchoolContext value={value}>{children}</SchoolContext>;
}

/** All schools in the own range and which one is chosen; pages that are about one school take useSchool. */
export function useSchools(): Schools {
  const schools = use(SchoolContext);
  if (!schools) throw new Error('Only inside the shell');
  return schools;
}

/** The school that the page is about. The shell shows no page that needs one while there is none. */
export function useSchool(): School {
  const { school } = useSchools();
  if (!school) throw new Error('Pages that need a school are not shown without one');
  return school;
}

/**
 * The class that the person works with, remembered for each school and shared by all pages: the own one of a
 * class administrator, otherwise the last one chosen, as long as it is there; null until one is chosen.
 */
export function useChosenClass(): [classId: number | null, choose: (classId: number | null) => void] {
  const { schoolDb } = useSchool();
  const me = useMe();
  const key = `classledger.class.${schoolDb}`;
  const [chosen, setChosen] = useState<Readonly<Record<string, number | null>>>({});
  const { data: classes } = useOperation('listSchoolClasses', { query: { schoolDb } });
  const stored = localStorage.getItem(key);
  const wanted =
    key in chosen ? (chosen[key] ?? null) : (me.classId ?? (stored === null ? null : Number(stored)));
  const known = classes === undefined || classes.some(({ id }) => id === wanted);
  const choose = (classId: number | null) => {
    if (classId === null) localStorage.removeItem(key);
    else localStorage.setItem(key, String(classId));
    setChosen((before) => ({ ...before, [key]: classId }));
  };
  return [known ? wanted : null, choose];
}
