import type { Team } from '@classledger/contract';
import { createContext, use, useCallback, useSyncExternalStore } from 'react';
import { useStudentNames } from '../../../components/student-names.ts';
import type { useFormat } from '../../../i18n/format.ts';
import type { ScoringQueue } from '../../taps/scoring-queue.ts';
import type { Tap } from '../../taps/tap.ts';
import type { Choice, ScoringBoard, StudentView } from './scoring-board.ts';

interface Scoring {
  readonly board: ScoringBoard;
  readonly queue: ScoringQueue;
  /** Made once for all cards: making one takes longer than drawing a card. */
  readonly format: ReturnType<typeof useFormat>;
}

/** The board of the class that is shown, and the queue that sends its taps. */
export const ScoringContext = createContext<Scoring | null>(null);

export function useScoring(): Scoring {
  const scoring = use(ScoringContext);
  if (!scoring) throw new Error('Only inside a scoring page');
  return scoring;
}

/** What one student's card shows; draws anew only when that changes. */
export function useStudentView(id: number): StudentView | undefined {
  const { board } = useScoring();
  return useSyncExternalStore(board.subscribe, () => board.view(id));
}

/** The name to call a student of the class by. */
export function useNameOf(): (id: number) => string | undefined {
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

export function useChoice(): Choice {
  const { board } = useScoring();
  return useSyncExternalStore(board.subscribe, () => board.choice);
}

/** The note that goes with the next points for those who are chosen. */
export function useChoiceNote(): string {
  const { board } = useScoring();
  return useSyncExternalStore(board.subscribe, () => board.note);
}

export function useAbsent(): ReadonlySet<number> {
  const { board } = useScoring();
  return useSyncExternalStore(board.subscribe, () => board.absent);
}

/** The teams of the class, where they are known. */
export const TeamsContext = createContext<readonly Team[]>([]);

/** The name of a team of the class. */
export function useTeamName(): (id: number) => string | undefined {
  const teams = use(TeamsContext);
  return useCallback((id) => teams.find((team) => team.id === id)?.name, [teams]);
}

/** Newest first. */
export function useTaps(): readonly Tap[] {
  const { queue } = useScoring();
  return useSyncExternalStore(queue.subscribe, () => queue.taps);
}
