import { Button } from '@mantine/core';
import { type Icon, IconFilterOff, IconSearchOff } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import { EmptyState } from '../EmptyState.tsx';
import { texts } from './texts.ts';

interface ClearFilter {
  readonly onClear: () => void;
}

interface NoResultsProps extends ClearFilter {
  readonly title?: string;
  readonly hint?: string;
}

export function NoResults({ onClear, title, hint }: NoResultsProps) {
  const t = useTexts(texts);
  return (
    <NothingByFilters
      icon={IconSearchOff}
      title={title ?? t('noMatchTitle')}
      hint={hint ?? t('noMatchHint')}
      onClear={onClear}
    />
  );
}

/** Shown if the URL filters by something that was deleted or that the user may not see. */
export function DeletedFilter({ onClear }: ClearFilter) {
  const t = useTexts(texts);
  return (
    <NothingByFilters
      icon={IconFilterOff}
      title={t('goneFilterTitle')}
      hint={t('goneFilterHint')}
      onClear={onClear}
    />
  );
}

function NothingByFilters({
  onClear,
  ...said
}: ClearFilter & { readonly icon: Icon; readonly title: string; readonly hint: string }) {
  const t = useTexts(texts);
  return (
    <EmptyState
      {...said}
      action={
        <Button variant="default" onClick={onClear}>
          {t('clearFilters')}
        </Button>
      }
    />
  );
}
