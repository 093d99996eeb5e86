import { Button } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import classes from './List.module.css';
import { texts } from './texts.ts';

interface FilterBarProps {
  /** Phones show two per line; `data-filter` marks search, switch and wide fields, which take a line of their own. */
  readonly children: ReactNode;
  /** Clears all filters. Pass false when no filter is set except the search, which has its own button. */
  readonly onClear: (() => void) | false;
}

export function FilterBar({ children, onClear }: FilterBarProps) {
  const t = useTexts(texts);
  return (
    <search className={`${classes.filters} no-print`} aria-label={t('filters')}>
      {children}
      {onClear && <ClearFilters onClear={onClear} />}
    </search>
  );
}

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
