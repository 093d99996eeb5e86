import type { ClassSummary } from '@classledger/contract';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef } from 'react';
import type { RowOf } from '../api/operation-types.ts';
import { useOperation } from '../api/queries.ts';
import { ErrorState } from '../components/ErrorState.tsx';
import { useGraduatedClass } from '../components/graduated-class.ts';
import { PageLoading } from '../components/LoadingRows.tsx';
import { SchoolTimeZone } from '../school-time/school-time.ts';
import { type Me, taughtClassIdsOf, useManages, useMe } from './me.ts';

type School = RowOf<'listSchools'>;

interface Schools {
  readonly schools: readonly School[];
  readonly school: School | null;
  /** False if nobody has chosen a school, so that the first one is shown. */
  readonly isChosen: boolean;
  readonly choose: (schoolDb: string) => void;
}

const SchoolContext = createContext<Schools | null>(null);
const lastKey = (adminId: number) => `classledger.school.${adminId}`;

/** Returns the school in the URL, otherwise the one that was chosen last. */
export function preferredSchool(adminId: number, inAddress: string | undefined): string | null {
  return inAddress ?? tabStorage.get(lastKey(adminId));
}

const classKey = (adminId: number, schoolDb: string) => `classledger.class.${adminId}.${schoolDb}`;

/** Returns the class chosen last, which may no longer exist. Class teachers begin with their own class. */
export function lastSelectedClass(me: Me, schoolDb: string): number | null {
  const text = tabStorage.get(classKey(me.id, schoolDb));
  const stored = text === null ? null : Number(text);
  if (me.classId === null) return stored;
  return stored !== null && taughtClassIdsOf(me).includes(stored) ? stored : me.classId;
}

export function SchoolProvider({ children }: { readonly children: ReactNode }) {
  const { id } = useMe();
  const { data, error, isPending, refetch } = useOperation('listSchools');
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const asked = useRef<string | null>(null);
  const choose = useCallback(
    (schoolDb: string) => {
      asked.current = schoolDb;
      void navigate({
        to: '.', // Removes the class, which belongs to the school before.
        search: ({ class: _, ...before }) => ({ ...before, school: schoolDb }),
      });
    },
    [navigate],
  );
  const { history } = useRouter();
  // Waits until the URL contains the school: a page may first ask the user, who can stay and so keep the old school.
  useEffect(
    () =>
      history.subscribe(({ location }) => {
        const school = new URLSearchParams(location.search).get('school');
        if (school !== null && school === asked.current) tabStorage.set(lastKey(id), school);
      }),
    [history, id],
  );
  const wanted = preferredSchool(id, search.school);
  const value = useMemo(() => {
    const schools = data ?? [];
    const chosen = schools.find(({ schoolDb }) => schoolDb === wanted);
    return { schools, school: chosen ?? schools[0] ?? null, isChosen: chosen !== undefined, choose };
  }, [data, wanted, choose]);
  if (isPending) return <PageLoading />;
  if (!data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <SchoolContext value={value}>
      <SchoolTimeZone value={value.school?.timeZone ?? null}>{children}</SchoolTimeZone>
    </SchoolContext>
  );
}

/** Returns the schools that the administrator may choose. Pages about one school call `useSchool` instead. */
export function useSchools(): Schools {
  const schools = use(SchoolContext);
  if (!schools) throw new Error('Use this hook inside SchoolProvider');
  return schools;
}

/** Returns the school that the page shows. The shell shows pages about a school only if there is one. */
export function useSchool(): School {
  const { school } = useSchools();
  if (!school) throw new Error('useSchool needs a chosen school: show the page only when there is one');
  return school;
}

/** Returns whether the signed-in administrator manages a class of the school, instead of only teaching it. */
export function useIsManagedClass(classId: number): boolean {
  const { schoolDb } = useSchool();
  const manages = useManages();
  const { data } = useOperation('listSchoolClasses', { query: { schoolDb } });
  const gradeId = data?.find(({ id }) => id === classId)?.gradeId ?? 0;
  return manages({ id: classId, gradeId });
}

interface SelectedClass {
  /** Null until a class is chosen, and if the class in the URL is unknown or has graduated. */
  readonly classId: number | null;
  readonly choose: (classId: number | null) => void;
  /** True when the class in the URL no longer exists, or the user may not see it. */
  readonly isUnknown: boolean;
  readonly graduated: ClassSummary | null;
}

/** Returns the class in the URL. If there is none, adds one: the user's own, the one chosen last, or the only one. */
export function useSelectedClass(): SelectedClass {
  const { schoolDb } = useSchool();
  const me = useMe();
  const { class: named }: { readonly class?: number } = useSearch({ strict: false });
  const navigate = useNavigate();
  const { data: classes } = useOperation('listSchoolClasses', { query: { schoolDb } });
  const isThere = (id: number) => classes === undefined || classes.some((one) => one.id === id);
  const [only, another] = classes ?? [];
  const remembered = lastSelectedClass(me, schoolDb);
  const usual = remembered !== null && isThere(remembered) ? remembered : only && !another ? only.id : null;
  const isElsewhere = named !== undefined && !isThere(named);
  const wanted = named ?? usual;
  const { graduated, asking } = useGraduatedClass(schoolDb, classes, wanted);
  const isUnknown = isElsewhere && !graduated && !asking;
  const classId = isElsewhere || graduated ? null : wanted;
  const isKnown = classes !== undefined && classId !== null;
  const show = useCallback(
    (id: number, replace: boolean) =>
      void navigate({
        to: '.',
        // Removes student and page from the URL, because they belong to the class before.
        search: ({ student: _, page: __, ...before }) => ({ ...before, class: id }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  );
  useEffect(() => {
    if (!isKnown) return;
    tabStorage.set(classKey(me.id, schoolDb), String(classId));
    if (named === undefined) show(classId, true);
  }, [isKnown, classId, named, me.id, schoolDb, show]);
  const choose = (id: number | null) => {
    if (id !== null) show(id, false);
  };
  return { classId, choose, isUnknown, graduated };
}

/** Stores the last choice for each tab, so that a choice in another tab does not switch this page's class or school. */
const tabStorage = {
  get: (key: string): string | null => {
    const own = sessionStorage.getItem(key);
    if (own !== null) return own === '' ? null : own;
    const last = localStorage.getItem(key);
    tryWrite(sessionStorage, key, last ?? '');
    return last;
  },
  set: (key: string, value: string): void => {
    for (const storage of [sessionStorage, localStorage]) tryWrite(storage, key, value);
  },
};

function tryWrite(storage: Storage, key: string, value: string): void {
  try {
    storage.setItem(key, value);
  } catch {
    // Ignored: if the storage is full, the choice lasts only until the page is left.
  }
}
