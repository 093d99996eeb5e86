import { Button, Text } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { useTexts } from '../../../i18n/texts.ts';
import { useAbsent, useHasSelection, useScoring } from './board-context.ts';
import classes from './Scoring.module.css';
import { texts } from './texts.ts';

interface BoardSelectionBarProps {
  readonly studentCount: number;
}

/** Shows the same controls with and without a selection, so that the cards below stay in place. */
export function BoardSelectionBar({ studentCount }: BoardSelectionBarProps) {
  const t = useTexts(texts);
  const { board } = useScoring();
  const hasSelection = useHasSelection();
  const absent = useAbsent();
  return (
    <>
      <div className={classes.selectionBar}>
        <Button variant="default" onClick={() => board.selectAll()}>
          {absent.size > 0 ? t('selectPresent') : t('selectAll')}
        </Button>
        <Button variant="default" onClick={() => board.invert()}>
          {t('invertSelection')}
        </Button>
        <Button variant="default" disabled={!hasSelection} onClick={() => board.clearSelection()}>
          {t('clearSelection')}
        </Button>
        {absent.size > 0 && (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconUserCheck aria-hidden size={16} />}
            title={t('allPresentTitle')}
            onClick={() => board.setAbsent([...absent], false)}
          >
            {t('allPresent', { count: absent.size })}
          </Button>
        )}
      </div>
      {absent.size === 0 && (
        <Text className={classes.count ?? ''} size="sm" c="dimmed">
          {t('studentCount', { count: studentCount })}
        </Text>
      )}
    </>
  );
}
