import { Button, Group } from '@mantine/core';
import { IconWifiOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ErrorFallback } from '../../components/ErrorBoundary.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { reloadPage } from '../../new-version.ts';
import { PageNotLoaded } from '../lazy-page.ts';
import { texts } from './texts.ts';

export function PageError({ error }: { readonly error: unknown }) {
  const t = useTexts(texts);
  if (!(error instanceof PageNotLoaded)) return <ErrorFallback />;
  return (
    <EmptyState
      isPage
      icon={IconWifiOff}
      title={t('notLoadedTitle')}
      hint={t('notLoadedHint')}
      action={
        <Group mt="xs" gap="xs" justify="center">
          <Button variant="default" onClick={() => void reloadPage()}>
            {t('retry')}
          </Button>
          <Button component={Link} to="/scoring">
            {t('toScoring')}
          </Button>
        </Group>
      }
    />
  );
}
