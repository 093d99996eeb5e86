import { Button } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import { EmptyState } from '../EmptyState.tsx';
import { texts } from './texts.ts';

/** Stands instead of a list where the address filters by something that is gone, or out of the person's range. */
export function GoneFilter({ onClear }: { readonly onClear: () => void }) {
  const t = useTexts(texts);
  return (
    <EmptyState
      icon={IconFilterOff}
      title={t('goneFilterTitle')}
      hint={t('goneFilterHint')}
      action={
        <Button variant="default" onClick={onClear}>
          {t('clearFilters')}
        </Button>
      }
    />
  );
}
