import type { Team } from '@classledger/contract';
import { createContext, use, useCallback, useSyncExternalStore } from 'react';
import { useStudentNames } from '../../../components/student-names.ts';
import type { useFormat } from '../../../i18n/format.ts';
import type { PointsEntry } from '../../outbox/entry.ts';
import type { ScoringQueue } from '../../outbox/scoring-queue.ts';
import type { ScoringBoard, Selection, StudentView } from './scoring-board.ts';

interface ScoringContextValue {
  readonly schoolDb: string;
  readonly classId: number;
  readonly board: ScoringBoard;
  readonly queue: ScoringQueue;
  /** Shared by all cards, because creating formatters takes longer than rendering a card. */
  readonly format: ReturnType<typeof useFormat>;
  /** Empty until the view or an entry needs the names of the teams. */
  readonly teams: readonly Team[];
  /** Announces a sentence to screen readers. */
  readonly announce: (sentence: string) => void;
}

export const ScoringContext = createContext<ScoringContextValue | null>(null);

export function useScoring(): ScoringContextValue {
  const scoring = use(ScoringContext);
  if (!scoring) throw new Error('Use this hook inside ScoringContext');
  return scoring;
}

/** Returns the content of a student's card. Renders again only when this content changes. */
export function useStudentView(id: number): StudentView | undefined {
  const { board } = useScoring();
  return useSyncExternalStore(board.subscribe, () => board.view(id));
}

export function useStudentNameOf(): (id: number) => string | undefined {
  const { board } = useScoring();
  const { textOf } = useStudentNames();
  return useCallback(
    (id) => {
      const student = board.student(id);
      return student && textOf(student);
    },
    [board, textOf],
  );
}

export function useBoardSelection(): Selection {
  const { board } = useScoring();
  return useSyncExternalStore(board.subscribe, () => board.selection);
}

export function useHasSelection(): boolean {
  const { board } = useScoring();
  return useSyncExternalStore(board.subscribe, () => board.hasSelection);
}

export function useAbsentIds(): ReadonlySet<number> {
  const { board } = useScoring();
  return useSyncExternalStore(board.subscribe, () => board.absent);
}

export function useTeamName(): (id: number) => string | undefined {
  const { teams } = useScoring();
  return useCallback((id) => teams.find((team) => team.id === id)?.name, [teams]);
}

export function usePointsEntries(): readonly PointsEntry[] {
  const { queue } = useScoring();
  return useSyncExternalStore(queue.subscribe, () => queue.entries);
}
