import { ActionIcon, Button, Group, Paper } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import classes from './List.module.css';
import { texts } from './texts.ts';
import type { useSelection } from './use-selection.ts';

interface SelectionBarProps {
  readonly label: string;
  readonly selection: Omit<ReturnType<typeof useSelection>, 'rows' | 'replace'>;
  readonly children: ReactNode;
}

export function SelectionBar({ label, selection, children }: SelectionBarProps) {
  const { count, total, selectingAll, selectAll, selectNone } = selection;
  const t = useTexts(texts);
  return (
    <Paper
      component="section"
      className={`${classes.selection} no-print`}
      withBorder
      shadow="md"
      px={14}
      py={10}
      mt="md"
      aria-label={label}
    >
      <Group gap="4px 10px" miw={0} me="auto" fw={600}>
        <output>{t('selected', { count })}</output>
        {count < total && (
          <Button variant="subtle" size="compact-sm" maw="100%" onClick={selectAll} loading={selectingAll}>
            {t('selectAllMatching', { count: total })}
          </Button>
        )}
      </Group>
      {children}
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('clearSelection')}
        onClick={selectNone}
      >
        <IconX aria-hidden size={18} />
      </ActionIcon>
    </Paper>
  );
}
