import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { StudentNamesContext, useDistinctStudentNames } from '../../../components/student-names.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { isCertainlyUnsent, isTakenBack } from '../../outbox/entry.ts';
import { pointsReasonOf } from '../../outbox/points-entry.ts';
import { useScoringQueue } from '../../outbox/use-outbox.ts';
import { useTeamsOfPoints } from '../class-teams.ts';
import { cachedRoster, useRoster } from '../roster.ts';
import { TimerPanel } from '../timer/TimerPanel.tsx';
import { absentIdsOf, useAttendance } from '../use-attendance.ts';
import { Board, type BoardProps } from './Board.tsx';
import {
  boardRefreshMs,
  ScoringContext,
  usePointsText,
  useProblemText,
  useScoring,
} from './board-context.ts';
import { ScoringBoard } from './scoring-board.ts';
import { texts } from './texts.ts';

interface ClassBoardProps extends Pick<BoardProps, 'help'> {
  readonly schoolDb: string;
  readonly classId: number;
}

export function ClassBoard({ schoolDb, classId, help }: ClassBoardProps) {
  const format = useFormat();
  const { board, queue, roster } = useScoringBoard(schoolDb, classId);
  const teams = useTeamsOfPoints(schoolDb, classId);
  const names = useDistinctStudentNames(roster.data);
  const [said, setSaid] = useState('');
  const announce = useCallback((sentence: string) => {
    // Empties the text first, because screen readers repeat a sentence only if it changes.
    setSaid('');
    requestAnimationFrame(() => setSaid(sentence));
  }, []);
  const scoring = useMemo(
    () => ({ schoolDb, classId, board, queue, format, teams, announce }),
    [schoolDb, classId, board, queue, format, teams, announce],
  );
  return (
    <StudentNamesContext value={names}>
      <ScoringContext value={scoring}>
        <Board roster={roster} help={help} />
        <Announcer said={said} />
        <TimerPanel />
      </ScoringContext>
    </StudentNamesContext>
  );
}

/** Creates the board of a class. Makes it read the roster and the absences again when they change. */
function useScoringBoard(schoolDb: string, classId: number) {
  const client = useQueryClient();
  const queue = useScoringQueue();
  const { sheet, mark } = useAttendance(schoolDb, classId);
  const roster = useRoster(schoolDb, classId, boardRefreshMs);
  // A ref, because the board stays the same when the absences change, even to another day.
  const attendance = useRef({ sheet: sheet.data, mark });
  attendance.current = { sheet: sheet.data, mark };
  const board = useMemo(
    () =>
      new ScoringBoard({
        schoolDb,
        classId,
        queue,
        roster: cachedRoster(client, schoolDb, classId),
        readAbsent: () => absentIdsOf(attendance.current.sheet),
        markAbsent: (ids, absent) => attendance.current.mark(ids, absent ? 'absent' : 'present'),
      }),
    [client, queue, schoolDb, classId],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the board reads the roster itself
  useLayoutEffect(() => board.refreshRoster(), [board, roster.data]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the board reads the absences itself
  useLayoutEffect(() => board.refreshAbsences(), [board, sheet.data]);
  return { board, queue, roster };
}

function Announcer({ said }: { readonly said: string }) {
  const t = useTexts(texts);
  const { queue, announce } = useScoring();
  const pointsText = usePointsText();
  const problemText = useProblemText();
  const [urgent, setUrgent] = useState('');
  useEffect(() => {
    return queue.subscribe((changes) => {
      for (const { was, entry } of changes) {
        const what = pointsText(entry);
        if (!was) {
          if (entry.state === 'sending' && isCertainlyUnsent(entry))
            announce(t('said', { what, reason: pointsReasonOf(entry) }));
        } else if (entry.state === 'refused' && was.state !== 'refused') {
          setUrgent(t('saidRefused', { what, message: problemText(entry.problem) }));
        } else if (entry.state === 'unsure' && was.state !== 'unsure') {
          setUrgent(t('said', { what, reason: t('stateUnsure') }));
        } else if (isTakenBack(entry) && !isTakenBack(was)) announce(t('saidUndone', { what }));
      }
    });
  }, [queue, announce, t, pointsText, problemText]);
  return (
    <>
      <div className="visually-hidden" role="status" aria-live="polite">
        {said}
      </div>
      <div className="visually-hidden" role="alert">
        {urgent}
      </div>
    </>
  );
}
