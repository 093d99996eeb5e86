import { Button, Code } from '@mantine/core';
import { IconAlertTriangle, IconWifiOff } from '@tabler/icons-react';
import { ApiFailure } from '../api/api-failure.ts';
import { useTexts } from '../i18n/texts.ts';
import { EmptyState } from './EmptyState.tsx';
import { useFailureText } from './failure-text.ts';
import { texts } from './texts.ts';

interface ErrorStateProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const t = useTexts(texts);
  const failureText = useFailureText();
  return (
    <EmptyState
      isError
      icon={IconAlertTriangle}
      title={t('errorTitle')}
      hint={failureText(error)}
      action={
        <>
          {error instanceof ApiFailure && error.requestId !== null && error.status >= 500 && (
            <Code>{t('requestId', { id: error.requestId })}</Code>
          )}
          <Button variant="default" mt="xs" onClick={onRetry}>
            {t('retry')}
          </Button>
        </>
      }
    />
  );
}

interface NoConnectionProps {
  readonly title: string;
  readonly hint: string;
  readonly onRetry: () => void;
}

/** Takes the place of an app that opened without a connection. */
export function NoConnection({ onRetry, ...words }: NoConnectionProps) {
  const t = useTexts(texts);
  const action = (
    <Button variant="default" mt="xs" onClick={onRetry}>
      {t('retry')}
    </Button>
  );
  return <EmptyState isPage icon={IconWifiOff} {...words} action={action} />;
}
