import type { Team } from '@classledger/contract';
import { createContext, use, useCallback, useSyncExternalStore } from 'react';
import { useStudentNames } from '../../../components/student-names.ts';
import type { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import type { PointsEntry, Problem } from '../../outbox/entry.ts';
import type { ScoringQueue } from '../../outbox/scoring-queue.ts';
import type { ScoringBoard } from './scoring-board.ts';
import { texts } from './texts.ts';

/** An id that no student has. */
export const noStudentId = 0;

/** The board reads the points of other teachers this often. */
export const boardRefreshMs = 5_000;

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

/** Reads the board. Renders again only when the result changes. */
export function useBoard<T>(read: (board: ScoringBoard) => T): T {
  const { board } = useScoring();
  return useSyncExternalStore(board.subscribe, () => read(board));
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

export function usePointsEntries(): readonly PointsEntry[] {
  const { queue } = useScoring();
  return useSyncExternalStore(queue.subscribe, () => queue.entries);
}

/** Returns a function that describes given points: "+2 for Ana". */
export function usePointsText(): (entry: PointsEntry) => string {
  const t = useTexts(texts);
  const { format, teams } = useScoring();
  const nameOf = useStudentNameOf();
  return useCallback(
    ({ studentIds, teamIds, change }) => {
      const points = format.signed(change);
      const [id = noStudentId, ...others] = teamIds ?? studentIds;
      const nameOfOne = teamIds ? teams.find((team) => team.id === id)?.name : nameOf(id);
      if (nameOfOne !== undefined && others.length === 0) return t('whatOne', { points, name: nameOfOne });
      return t(teamIds ? 'whatTeams' : 'whatMany', { points, count: others.length + 1 });
    },
    [t, nameOf, teams, format],
  );
}

const explainedStatuses = [403, 404, 409] as const;

export function useProblemText(): (problem: Problem | null) => string {
  const t = useTexts(texts);
  return useCallback(
    (problem) => {
      const explained = explainedStatuses.find((status) => status === problem?.status);
      return explained ? t(`problem${explained}`) : t('problemOther', { message: problem?.message ?? '' });
    },
    [t],
  );
}
