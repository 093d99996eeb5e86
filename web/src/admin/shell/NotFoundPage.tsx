import { Button } from '@mantine/core';
import { IconMapSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../components/EmptyState.tsx';
import { usePageTitle } from '../../i18n/page-title.ts';
import { useTexts } from '../../i18n/texts.ts';
import { texts } from './texts.ts';

export function NotFoundPage() {
  const t = useTexts(texts);
  usePageTitle(t('notFoundTitle'));
  return (
    <EmptyState
      isPage
      icon={IconMapSearch}
      title={t('notFoundTitle')}
      hint={t('notFoundHint')}
      action={
        <Button component={Link} to="/" variant="default" mt="xs">
          {t('toDashboard')}
        </Button>
      }
    />
  );
}
