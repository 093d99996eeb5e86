import { Button, Stack, Text, Title } from '@mantine/core';
import { Component, type ReactNode, Suspense } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { reloadPage } from '../new-version.ts';
import { texts } from './texts.ts';

export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <ErrorFallback /> : this.props.children;
  }
}

export function ErrorFallback() {
  const t = useTexts(texts);
  return (
    <Stack align="center" gap="xs" py={64} px="md" role="alert" ta="center">
      <Title order={2} size="h3">
        {t('brokenTitle')}
      </Title>
      <Text c="dimmed">{t('brokenText')}</Text>
      <Button onClick={() => void reloadPage()}>{t('reload')}</Button>
    </Stack>
  );
}

interface LazyBoundaryProps {
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
}

export function LazyBoundary({ fallback = null, children }: LazyBoundaryProps) {
  return (
    <ErrorBoundary>
      <Suspense fallback={fallback}>{children}</Suspense>
    </ErrorBoundary>
  );
}
