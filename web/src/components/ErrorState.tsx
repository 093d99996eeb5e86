import { Button, Code, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ApiFailure } from '../api/api-failure.ts';
import { useTexts } from '../i18n/texts.ts';
import { useFailureText } from './failure-text.ts';
import { texts } from './texts.ts';

interface ErrorStateProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
  readonly compact?: boolean;
}

export function ErrorState({ error, onRetry, compact = false }: ErrorStateProps) {
  const t = useTexts(texts);
  const failureText = useFailureText();
  return (
    <Stack align="center" gap="xs" py={compact ? 'md' : 48} px="md" role="alert" ta="center">
      <ThemeIcon variant="light" color="red" size={48} radius="xl">
        <IconAlertTriangle aria-hidden size={24} />
      </ThemeIcon>
      <Title order={2} size="h3">
        {t('errorTitle')}
      </Title>
      <Text c="dimmed" maw={420}>
        {failureText(error)}
      </Text>
      {error instanceof ApiFailure && error.requestId !== null && error.status >= 500 && (
        <Code>{t('requestId', { id: error.requestId })}</Code>
      )}
      {onRetry && (
        <Button variant="default" mt="xs" onClick={onRetry}>
          {t('retry')}
        </Button>
      )}
    </Stack>
  );
}
