import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { factorTexts } from './factor-texts.ts';

interface PasskeyAlertProps {
  readonly error: unknown;
  readonly children: ReactNode;
}

export function PasskeyAlert({ error, children }: PasskeyAlertProps) {
  const t = useTexts(factorTexts);
  if (!(error instanceof Error) || error.name !== 'PasskeyFailure') return children;
  return (
    <Alert color="gray" role="status" py="xs">
      {t('noPasskey')}
    </Alert>
  );
}
