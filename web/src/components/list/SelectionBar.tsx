import { ActionIcon, Button, Group, Paper } from '@mantine/core';
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
          <Button
            variant="subtle"
            size="compact-sm"
            maw="100%"
            onClick={props.onSelectAll}
            loading={props.selectingAll}
          >
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
        onClick={props.onClear}
      >
        <IconX aria-hidden size={18} />
      </ActionIcon>
    </Paper>
  );
}
