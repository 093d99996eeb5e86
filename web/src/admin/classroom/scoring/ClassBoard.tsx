import type { Student } from '@classledger/contract';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { StudentNamesContext, useDistinctStudentNames } from '../../../components/student-names.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { isCertainlyUnsent, isTakenBack } from '../../outbox/entry.ts';
import { pointsReasonOf } from '../../outbox/points-entry.ts';
import { useTeamsOfPoints } from '../class-teams.ts';
import { TimerPanel } from '../timer/TimerPanel.tsx';
import { Board, type HelpDialogState } from './Board.tsx';
import { ScoringContext, useScoring } from './board-context.ts';
import { usePointsText, useProblemText } from './points-text.ts';
import { texts } from './texts.ts';
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

function Announcer({ said }: { readonly said: string }) {
  const t = useTexts(texts);
  const { queue } = useScoring();
  const pointsText = usePointsText();
  const problemText = useProblemText();
  const [polite, setPolite] = useState('');
  const [urgent, setUrgent] = useState('');
  useEffect(() => {
    return queue.subscribe((changes) => {
      for (const { was, entry } of changes) {
        const what = pointsText(entry);
        if (!was) {
          if (entry.state === 'sending' && isCertainlyUnsent(entry))
            setPolite(t('said', { what, reason: pointsReasonOf(entry) }));
        } else if (entry.state === 'refused' && was.state !== 'refused') {
          setUrgent(t('saidRefused', { what, message: problemText(entry.problem) }));
        } else if (entry.state === 'unsure' && was.state !== 'unsure') {
          setUrgent(t('said', { what, reason: t('stateUnsure') }));
        } else if (isTakenBack(entry) && !isTakenBack(was)) setPolite(t('saidUndone', { what }));
      }
    });
  }, [queue, t, pointsText, problemText]);
  useEffect(() => {
    if (said) setPolite(said);
  }, [said]);
  return (
    <>
      <div className="visually-hidden" role="status" aria-live="polite">
        {polite}
      </div>
      <div className="visually-hidden" role="alert">
        {urgent}
      </div>
    </>
  );
}
