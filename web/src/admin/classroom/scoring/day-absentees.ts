type Place = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Who is absent today, on this machine only: tomorrow everyone counts as present again. */
export interface DayAbsentees {
  readonly read: () => readonly number[];
  readonly write: (ids: readonly number[]) => void;
}

/** The absentees of one class as one administrator marked them. */
export function dayAbsentees(
  { adminId, schoolDb, classId }: { adminId: number; schoolDb: string; classId: number },
  place: Place,
  now: () => Date = () => new Date(),
): DayAbsentees {
  const key = `classledger.absent.${adminId}.${schoolDb}.${classId}`;
  const today = () => {
    const date = now();
    return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
  };
  /** What a full storage had no room for. */
  let unkept: { readonly day: string; readonly ids: readonly number[] } | null = null;
  return {
    read: () => {
      if (unkept?.day === today()) return unkept.ids;
      try {
        const kept = JSON.parse(place.getItem(key) ?? 'null') as { day?: string; ids?: number[] } | null;
        return kept?.day === today() && Array.isArray(kept.ids) ? kept.ids : [];
      } catch {
        return [];
      }
    },
    write: (ids) => {
      const marked = { day: today(), ids };
      try {
        if (ids.length === 0) place.removeItem(key);
        else place.setItem(key, JSON.stringify(marked));
        unkept = null;
      } catch {
        unkept = marked;
      }
    },
  };
}
