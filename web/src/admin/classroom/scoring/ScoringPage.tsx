import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import { IconDice5, IconKeyboard, IconPresentation, IconSchool, IconStopwatch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { ClassChoice } from '../../../components/StructurePickers.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useChosenClass, useSchool } from '../../school.tsx';
import { useSaveOfflineAnswers } from '../../use-save-offline-answers.ts';
import { useTool } from '../../use-tool.ts';
import { GraduatedClass } from '../GraduatedClass.tsx';
import { useTimer } from '../timer/use-timer.ts';
import { UnknownClass } from '../UnknownClass.tsx';
import { type BoardDialog, ClassBoard } from './ClassBoard.tsx';
import { texts } from './texts.ts';

export function ScoringPage() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { classId, choose, isUnknown, graduated } = useChosenClass();
  useSaveOfflineAnswers();
  const { data: all, error, refetch } = useOperation('listSchoolClasses', { query: { schoolDb } });
  const picks = useTool('pick');
  const { offered: timers, timer, change: changeTimer } = useTimer();
  const [dialog, setDialog] = useState<BoardDialog>(null);
  const picker = <ClassChoice schoolDb={schoolDb} value={classId} onChange={choose} />;
  return (
    <>
      <PageHeader
        title={t('title')}
        {...(classId !== null && { choice: picker })}
        actions={
          classId !== null && (
            <>
              <Tooltip label={t('shortcuts')}>
                <ActionIcon
                  variant="default"
                  size={36}
                  aria-label={t('shortcuts')}
                  onClick={() => setDialog('shortcuts')}
                  visibleFrom="md"
                >
                  <IconKeyboard aria-hidden size={20} />
                </ActionIcon>
              </Tooltip>
              <Button
                renderRoot={(props) => (
                  <Link to="/projector" search={{ school: schoolDb, class: classId }} {...props} />
                )}
                variant="default"
                leftSection={<IconPresentation aria-hidden size={18} />}
              >
                <span className="words-on-wide">{t('projector')}</span>
              </Button>
              {timers && (
                <Button
                  variant="default"
                  leftSection={<IconStopwatch aria-hidden size={18} />}
                  onClick={() => changeTimer({ ...timer, shown: true })}
                >
                  <span className="words-on-wide">{t('timer')}</span>
                </Button>
              )}
              {picks && (
                <Button
                  variant="default"
                  leftSection={<IconDice5 aria-hidden size={18} />}
                  onClick={() => setDialog('pick')}
                >
                  <span className="words-on-wide">{t('random')}</span>
                </Button>
              )}
            </>
          )
        }
      />
      {classId !== null ? (
        <ClassBoard
          key={classId}
          schoolDb={schoolDb}
          classId={classId}
          dialog={dialog}
          onDialog={setDialog}
        />
      ) : !all ? (
        error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingRows rows={5} height={72} />
        )
      ) : graduated ? (
        <GraduatedClass of={graduated} picker={picker} />
      ) : all.length === 0 ? (
        <EmptyState
          icon={IconSchool}
          title={t('noClassesTitle')}
          hint={t('noClassesHint')}
          action={
            <Button component={Link} to="/structure" mt="xs">
              {t('toStructure')}
            </Button>
          }
        />
      ) : isUnknown ? (
        <UnknownClass picker={<Group mt="xs">{picker}</Group>} />
      ) : (
        <EmptyState
          icon={IconSchool}
          title={t('chooseClassTitle')}
          hint={t('chooseClassHint')}
          action={<Group mt="xs">{picker}</Group>}
        />
      )}
    </>
  );
}
