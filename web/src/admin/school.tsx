import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { RowOf } from '../api/operation-types.ts';
import { useOperation } from '../api/queries.ts';
import { ErrorState } from '../components/ErrorState.tsx';
import { type Me, useMe } from './me.ts';
import { PageLoading } from './shell/PageLoading.tsx';
import { tabMemory } from './tab-memory.ts';

type School = RowOf<'listSchools'>;

interface Schools {
  /** Those in the caller's range. */
  readonly schools: readonly School[];
  /** The one that the pages are about; null while there is none at all. */
  readonly school: School | null;
  /** False where no one chose it: it is the first one then. */
  readonly isChosen: boolean;
  readonly choose: (schoolDb: string) => void;
}

const SchoolContext = createContext<Schools | null>(null);
const lastKey = 'classledger.school';

/** The school that the address names, otherwise the one that was chosen last. */
export function wantedSchool(inAddress: string | undefined): string | null {
  return inAddress ?? tabMemory.get(lastKey);
}

const classKey = (schoolDb: string) => `classledger.class.${schoolDb}`;

/** The own class of a class administrator, otherwise the last one chosen; it may be gone. */
export function rememberedClass({ classId }: Me, schoolDb: string): number | null {
  const stored = tabMemory.get(classKey(schoolDb));
  return classId ?? (stored === null ? null : Number(stored));
}

/** Provides the school: the own one, or the one that a super administrator has chosen. */
export function SchoolProvider({ children }: { readonly children: ReactNode }) {
  const { data, error, isPending, refetch } = useOperation('listSchools');
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const asked = useRef<string | null>(null);
  const choose = useCallback(
    (schoolDb: string) => {
      asked.current = schoolDb;
      void navigate({ to: '.', search: (before) => ({ ...before, school: schoolDb }) });
    },
    [navigate],
  );
  const { history } = useRouter();
  // Remembered when it is in the address: a page may ask first whether to leave it, and stay with the former school.
  useEffect(
    () =>
      history.subscribe(({ location }) => {
        const school = new URLSearchParams(location.search).get('school');
        if (school !== null && school === asked.current) tabMemory.set(lastKey, school);
      }),
    [history],
  );
  const wanted = wantedSchool(search.school);
  const value = useMemo(() => {
    const schools = data ?? [];
    const chosen = schools.find(({ schoolDb }) => schoolDb === wanted);
    return { schools, school: chosen ?? schools[0] ?? null, isChosen: chosen !== undefined, choose };
  }, [data, wanted, choose]);
  if (isPending) return <PageLoading />;
  if (!data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <SchoolContext value={value}>{children}</SchoolContext>;
}

/** All schools in the caller's range and which one is chosen; pages that are about one school take useSchool. */
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
  const key = classKey(schoolDb);
  const [chosen, setChosen] = useState<Readonly<Record<string, number | null>>>({});
  const { data: classes } = useOperation('listSchoolClasses', { query: { schoolDb } });
  const wanted = key in chosen ? (chosen[key] ?? null) : rememberedClass(me, schoolDb);
  const known = classes === undefined || classes.some(({ id }) => id === wanted);
  const choose = (classId: number | null) => {
    tabMemory.set(key, classId === null ? null : String(classId));
    setChosen((before) => ({ ...before, [key]: classId }));
  };
  return [known ? wanted : null, choose];
}
