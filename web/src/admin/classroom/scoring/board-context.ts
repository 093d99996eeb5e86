import type { Team } from '@classledger/contract';
import { useSessionStorage } from '@mantine/hooks';
import { createContext, use, useCallback, useSyncExternalStore } from 'react';
import { useStudentNames } from '../../../components/student-names.ts';
import { useIsPhone } from '../../../components/use-is-phone.ts';
import type { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import type { PointsEntry, Problem } from '../../outbox/entry.ts';
import type { ScoringQueue } from '../../outbox/scoring-queue.ts';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { useOwnStorage } from '../parts.tsx';
import type { ScoringBoard } from './scoring-board.ts';
import type { Sort } from './student-order.ts';
import { texts } from './texts.ts';

export const noStudentId = 0;

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

export type BoardView = 'seats' | 'cards' | 'list' | 'teams';
export type TeamTarget = 'team' | 'members';

interface BoardSettings {
  readonly view: BoardView;
  readonly sort: Sort;
  readonly teamTarget: TeamTarget;
  /** Whether shortcuts work without Ctrl or Cmd. Speech input may press such keys by mistake (WCAG 2.1.4). */
  readonly singleKeys: boolean;
}

export function useBoardSettings(): readonly [BoardSettings, (change: Partial<BoardSettings>) => void] {
  const isPhone = useIsPhone();
  const hasTeams = useIsToolEnabled('teams');
  const [stored, store] = useOwnStorage<Partial<BoardSettings>>('scoring', {});
  const settings: BoardSettings = {
    view: isPhone ? 'cards' : 'seats',
    sort: 'name',
    teamTarget: 'team',
    singleKeys: true,
    ...stored,
    ...(stored.view === 'teams' && !hasTeams && { view: 'seats' }),
  };
  return [settings, (change) => store({ ...stored, ...change })];
}

export interface OpenPick {
  readonly ids: readonly number[];
  /** The students to pick from, if some were selected. Stored here, because a reload loses the selection. */
  readonly among?: readonly number[];
  readonly openedAt: number;
}

/** Stores the open random pick of this tab, so that a reload shows it again; null while the dialog is closed. */
export function useOpenPick(schoolDb: string, classId: number) {
  const { id } = useMe();
  const [picked, setPicked] = useSessionStorage<OpenPick | null>({
    key: `classledger.picked.${id}.${schoolDb}.${classId}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const open = () => setPicked({ ids: [], openedAt: Date.now() });
  return { picked, setPicked, open };
}
