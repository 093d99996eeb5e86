import { Button } from '@mantine/core';
import { type Icon, IconFilterOff, IconSearchOff } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import { EmptyState } from '../EmptyState.tsx';
import { texts } from './texts.ts';

interface NoResultsProps {
  readonly onClear: () => void;
  readonly icon?: Icon;
  readonly title?: string;
  readonly hint?: string;
}

export function NoResults({ onClear, icon = IconSearchOff, title, hint }: NoResultsProps) {
  const t = useTexts(texts);
  return (
    <EmptyState
      icon={icon}
      title={title ?? t('noMatchTitle')}
      hint={hint ?? t('noMatchHint')}
      action={
        <Button variant="default" onClick={onClear}>
          {t('clearFilters')}
        </Button>
      }
    />
  );
}

/** Shown if the URL filters by something that was deleted or that the user may not see. */
export function DeletedFilter({ onClear }: { readonly onClear: () => void }) {
  const t = useTexts(texts);
  const words = { title: t('goneFilterTitle'), hint: t('goneFilterHint') };
  return <NoResults icon={IconFilterOff} {...words} onClear={onClear} />;
}
