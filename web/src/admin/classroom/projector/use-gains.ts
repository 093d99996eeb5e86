import { useEffect, useRef, useState } from 'react';
import type { RankedStudent } from './rank-students.ts';

const shownMs = 4_000;

export interface Gain {
  readonly key: string;
  readonly change: number;
}

const none: ReadonlyMap<number, Gain> = new Map();

/** Returns each student's recent change of points for a few seconds. A new `kind` of points counts as no change. */
export function useGains(students: readonly RankedStudent[], kind: string): ReadonlyMap<number, Gain> {
  const [gains, setGains] = useState(none);
  const before = useRef<{ kind: string; points: ReadonlyMap<number, number> } | null>(null);
  useEffect(() => {
    const points = new Map(students.map((student) => [student.id, student.points]));
    const last = before.current;
    before.current = { kind, points };
    if (last?.kind !== kind) return;
    const fresh = students.flatMap(({ id, points: now }) => {
      const change = now - (last.points.get(id) ?? now);
      return change === 0 ? [] : [[id, { key: `${id} ${now}`, change }] as const];
    });
    if (fresh.length === 0) return;
    setGains((shown) => new Map([...shown, ...fresh]));
    setTimeout(() => {
      setGains((shown) => new Map([...shown].filter(([, gain]) => !fresh.some(([, old]) => old === gain))));
    }, shownMs);
  }, [students, kind]);
  return gains;
}
