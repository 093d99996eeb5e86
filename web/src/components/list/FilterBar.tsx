import { Button } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import classes from './FilterBar.module.css';
import { texts } from './texts.ts';

interface FilterBarProps {
  /**
   * The fields. On phones two stand beside each other, except what has `data-filter="search"`, `"switch"` or `"wide"`,
   * which has the whole line; `"switch"` and `"tick"` are never wider than they need otherwise.
   */
  readonly children: ReactNode;
  /** Takes all filters away; false where none is set, and for a search alone, which has a button of its own. */
  readonly onClear: (() => void) | false;
}

/** What narrows a list, above it. */
export function FilterBar({ children, onClear }: FilterBarProps) {
  const t = useTexts(texts);
  return (
    <search className={`${classes.bar} no-print`} aria-label={t('filters')}>
      {children}
      {onClear && <ClearFilters onClear={onClear} />}
    </search>
  );
}

/** Takes all filters away; stands behind them. */
export function ClearFilters({ onClear }: { readonly onClear: () => void }) {
  const t = useTexts(texts);
  return (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<IconFilterOff aria-hidden size={16} />}
      onClick={onClear}
    >
      {t('clearFilters')}
    </Button>
  );
}
