import { Button, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import { Notice } from '../students/passwords/Notice.tsx';
import { texts } from './texts.ts';

/** The page was loaded again in the midst of a run. */
export function Interrupted({ onGiveUp }: { readonly onGiveUp: () => void }) {
  const t = useTexts(texts);
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
