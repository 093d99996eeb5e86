import { Button, Text } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { useTexts } from '../../../i18n/texts.ts';
import { useAbsent, useHasChoice, useScoring } from './board-context.ts';
import classes from './Scoring.module.css';
import { texts } from './texts.ts';

interface ChoiceBarProps {
  readonly studentCount: number;
}

/** Shows the same controls with and without a selection, so that the cards below stay in place. */
export function ChoiceBar({ studentCount }: ChoiceBarProps) {
  const t = useTexts(texts);
  const { board } = useScoring();
  const hasChoice = useHasChoice();
  const absent = useAbsent();
  return (
    <>
      <div className={classes.choiceBar}>
        <Button variant="default" onClick={() => board.selectAll()}>
          {absent.size > 0 ? t('selectPresent') : t('selectAll')}
        </Button>
        <Button variant="default" onClick={() => board.invert()}>
          {t('invertSelection')}
        </Button>
        <Button variant="default" disabled={!hasChoice} onClick={() => board.clearChoice()}>
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
