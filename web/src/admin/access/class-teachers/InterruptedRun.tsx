import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTexts } from '../../../i18n/texts.ts';
import { Notice } from '../../students/passwords/Notice.tsx';
import { texts } from './texts.ts';
import type { ActiveRun } from './use-teacher-run.ts';

interface InterruptedRunProps {
  readonly wasFinished: boolean;
  readonly run: Pick<ActiveRun['run'], 'resume'>;
  readonly onGiveUp: () => void;
}

/** Shown if the page was reloaded during a run, or after a run whose passwords were not saved. */
export function InterruptedRun({ wasFinished, run, onGiveUp }: InterruptedRunProps) {
  const t = useTexts(texts);
  if (wasFinished) {
    return (
      <Notice icon={IconAlertTriangle} tone="attention" title={t('unsavedTitle')}>
        <Text>{t('unsaved')}</Text>
        <Group>
          <Button onClick={() => void run.resume()}>{t('showAgain')}</Button>
          <Button variant="default" onClick={onGiveUp}>
            {t('forgetPasswords')}
          </Button>
        </Group>
      </Notice>
    );
  }
  return (
    <Notice icon={IconAlertTriangle} tone="attention" title={t('interruptedTitle')}>
      <Text>{t('interrupted')}</Text>
      <div>
        <Button variant="default" onClick={onGiveUp}>
          {t('giveUp')}
        </Button>
      </div>
    </Notice>
  );
}
