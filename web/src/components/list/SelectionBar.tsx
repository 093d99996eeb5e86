import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import classes from './List.module.css';
import { texts } from './texts.ts';

interface SelectionBarProps {
  readonly label: string;
  readonly count: number;
  readonly total: number;
  readonly selectingAll: boolean;
  readonly onSelectAll: () => void;
  readonly onClear: () => void;
  readonly children: ReactNode;
}

export function SelectionBar({ label, count, total, children, ...props }: SelectionBarProps) {
  const t = useTexts(texts);
  return (
    <section className={`${classes.selection} no-print`} aria-label={label}>
      <div className={classes.selectedCount}>
        <output>{t('selected', { count })}</output>
        {count < total && (
          <Button variant="subtle" size="compact-sm" onClick={props.onSelectAll} loading={props.selectingAll}>
            {t('selectAllMatching', { count: total })}
          </Button>
        )}
      </div>
      {children}
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('clearSelection')}
        onClick={props.onClear}
      >
        <IconX aria-hidden size={18} />
      </ActionIcon>
    </section>
  );
}
