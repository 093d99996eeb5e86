import type { Student } from '@classledger/contract';
import { useCallback, useMemo, useState } from 'react';
import { StudentNamesContext, useDistinctStudentNames } from '../../../components/student-names.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTeamsOfPoints } from '../class-teams.ts';
import { TimerPanel } from '../timer/TimerPanel.tsx';
import { Announcer } from './Announcer.tsx';
import { Board, type HelpDialogState } from './Board.tsx';
import { ScoringContext } from './board-context.ts';
import { useScoringBoard } from './use-scoring-board.ts';

interface ClassBoardProps {
  readonly schoolDb: string;
  readonly classId: number;
  readonly help: HelpDialogState;
}

const noStudents: readonly Student[] = [];

export function ClassBoard({ schoolDb, classId, help }: ClassBoardProps) {
  const format = useFormat();
  const { board, queue, roster } = useScoringBoard(schoolDb, classId);
  const teams = useTeamsOfPoints(schoolDb, classId);
  const names = useDistinctStudentNames(roster.data ?? noStudents);
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
