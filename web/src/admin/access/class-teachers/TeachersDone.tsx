import { Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../../i18n/texts.ts';
import type { ListRun, RunProgress } from '../../lists/list-run.ts';
import { RunningBar } from '../../lists/RunningBar.tsx';
import type { InitialPassword } from '../../students/passwords/initial-password.ts';
import { ManyPasswords } from '../../students/passwords/ManyPasswords.tsx';
import { Notice } from '../../students/passwords/Notice.tsx';
import { texts } from './texts.ts';

interface TeachersDoneProps {
  readonly run: Pick<ListRun, 'pause' | 'goOn' | 'leaveOut'>;
  readonly progress: RunProgress;
  readonly passwords: readonly InitialPassword[];
  readonly saved: boolean;
  readonly onSaved: (count: number) => void;
}

/** The last step: the accounts are made and moved; their passwords are shown this once. */
export function TeachersDone({ run, progress, passwords, saved, onSaved }: TeachersDoneProps) {
  const t = useTexts(texts);
  const { state, created, changed, refused } = progress;
  const finished = state === 'finished';
  return (
    <Stack>
      {!finished && <RunningBar title={t('running')} run={run} progress={progress} />}
      {finished && (
        <output>
          <Notice icon={IconCircleCheck} tone="good" title={t('created', { count: created.length })}>
            {changed > 0 && <Text>{t('moved', { count: changed })}</Text>}
          </Notice>
        </output>
      )}
      {(finished || state === 'paused') && passwords.length > 0 && (
        <ManyPasswords whose="staff" passwords={passwords} saved={saved} onSaved={onSaved} />
      )}
      {finished && refused.length > 0 && (
        <Notice icon={IconAlertTriangle} tone="attention" title={t('leftOut', { count: refused.length })}>
          <div>
            {refused.map(({ row, refusal }) => (
              <Text key={row.line} size="sm">
                <b>{row.username}</b> {refusal === 'left out' ? t('leftOutPart') : refusal.reason}
              </Text>
            ))}
          </div>
        </Notice>
      )}
      {finished && (
        <Group justify="flex-end">
          <Button component={Link} to="/administrators">
            {t('showAccounts')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
