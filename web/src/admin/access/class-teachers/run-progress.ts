import { useSyncExternalStore } from 'react';
import type { InitialPassword } from '../../students/passwords/initial-password.ts';
import type { ListRun, RunProgress } from './list-run.ts';

export const passwordsOf = (progress: RunProgress | null): InitialPassword[] =>
  (progress?.created ?? []).map(({ row: { actualName, username, classLabel }, ...made }) => ({
    name: actualName,
    username,
    classLabel,
    ...made,
  }));

const nothing = () => () => {};

export function useProgress(run: Pick<ListRun, 'subscribe' | 'get'> | null): RunProgress | null {
  return useSyncExternalStore(run?.subscribe ?? nothing, () => run?.get() ?? null);
}
