import { Button } from '@mantine/core';
import { IconSearchOff } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import { EmptyState } from '../EmptyState.tsx';
import { texts } from './texts.ts';

/** Stands where a list is empty only because its filters leave everything out. */
export function NoMatch({ onClear }: { readonly onClear: () => void }) {
  const t = useTexts(texts);
  return (
    <EmptyState
      icon={IconSearchOff}
      title={t('noMatchTitle')}
      hint={t('noMatchHint')}
      action={
        <Button variant="default" onClick={onClear}>
          {t('clearFilters')}
        </Button>
      }
    />
  );
}
