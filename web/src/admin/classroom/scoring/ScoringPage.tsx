import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { connection } from '../../../api/connection.ts';
import { sessionState } from '../../../api/session-state.ts';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { adminHint } from '../../../session/admin-hint.ts';
import { offlineAnswers } from '../../../session/offline-answers.ts';
import { sharedComputer } from '../../../session/stored-session.ts';
import { useMe } from '../../me.ts';
import { DialogProvider } from '../../page/dialogs.tsx';
import { useSchool, useSelectedClass } from '../../school.tsx';
import { NoClass } from '../ClassPageGate.tsx';
import { ClassSwitch } from '../ClassSwitch.tsx';
import { BoardTools } from './BoardTools.tsx';
import { ClassBoard } from './ClassBoard.tsx';
import { texts } from './texts.ts';

export default function ScoringPage() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { classId, choose } = useSelectedClass();
  useSaveOfflineAnswers();
  const help = useDisclosure();
  if (classId === null) {
    return <NoClass title={t('title')} chooseHint={t('chooseClassHint')} noneHint={t('noClassesHint')} />;
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        choice={<ClassSwitch schoolDb={schoolDb} value={classId} onChange={choose} />}
        actions={<BoardTools schoolDb={schoolDb} classId={classId} onHelp={help[1].open} />}
      />
      <DialogProvider>
        <ClassBoard key={classId} schoolDb={schoolDb} classId={classId} help={help} />
      </DialogProvider>
    </>
  );
}

/** Answers that arrive within this time are stored together. */
const saveDelayMs = 2_000;

/** Stores the answers that this page shows, so that the same person can open it offline; see {@link offlineAnswers}. */
function useSaveOfflineAnswers(): void {
  const client = useQueryClient();
  const { id } = useMe();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const save = () => {
      clearTimeout(timer);
      timer = undefined;
      // Null if another tab has signed out since, so that nothing is stored for the next person.
      const mark = sessionState.get() === 'signed in' ? adminHint.ownMark() : null;
      if (mark !== null && connection.get() && !sharedComputer.get()) offlineAnswers.save(client, id, mark);
    };
    const stop = client.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'success')
        timer ??= setTimeout(save, saveDelayMs);
    });
    addEventListener('pagehide', save);
    return () => {
      stop();
      clearTimeout(timer);
      removeEventListener('pagehide', save);
    };
  }, [client, id]);
}
