import { Button, Text, Tooltip } from '@mantine/core';
import { IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useAbsent, useChoice, useScoring } from './board-context.ts';
import classes from './Scoring.module.css';
import { texts } from './texts.ts';

interface ChoiceBarProps {
  readonly studentCount: number;
  /** Taps only choose. */
  readonly several: boolean;
  /** Null where taps only choose anyway. */
  readonly onSeveral: ((several: boolean) => void) | null;
}

/** Chooses many at once, and keeps who is absent today. */
export function ChoiceBar({ studentCount, several, onSeveral }: ChoiceBarProps) {
  const t = useTexts(texts);
  const c = useTexts(commonTexts);
  const { board } = useScoring();
  const { ids, spent } = useChoice();
  const absent = useAbsent();
  const chosen = ids.length > 0;
  return (
    <div className={classes.choiceBar}>
      <Button variant="default" size="sm" px="sm" h={36} onClick={() => board.chooseAll()}>
        {absent.size > 0 ? t('choosePresent') : t('chooseAll')}
      </Button>
      <Button variant="default" size="sm" px="sm" h={36} onClick={() => board.invert()}>
        {t('chooseInvert')}
      </Button>
      <Button
        variant="default"
        size="sm"
        px="sm"
        h={36}
        disabled={!chosen}
        onClick={() => board.chooseNobody()}
      >
        {t('chooseNone')}
      </Button>
      {onSeveral && (
        <Tooltip label={t('severalHint')}>
          <Button
            variant={several ? 'light' : 'default'}
            size="sm"
            px="sm"
            h={36}
            aria-pressed={several}
            onClick={() => onSeveral(!several)}
          >
            {t('several')}
          </Button>
        </Tooltip>
      )}
      {chosen && !spent && (
        <Button
          variant="subtle"
          color="gray"
          size="sm"
          px="sm"
          h={36}
          leftSection={<IconUserOff aria-hidden size={16} />}
          onClick={() => board.setAbsent(ids, true)}
        >
          {t('markAbsent')}
        </Button>
      )}
      {absent.size > 0 && (
        <Button
          variant="subtle"
          color="gray"
          size="sm"
          px="sm"
          h={36}
          leftSection={<IconUserCheck aria-hidden size={16} />}
          onClick={() => board.setAbsent([...absent], false)}
        >
          {t('allPresent')}
        </Button>
      )}
      <Text size="sm" c="dimmed" ms="auto" visibleFrom="xs">
        {absent.size > 0 ? t('absentCount', { count: absent.size }) : c('students', { count: studentCount })}
      </Text>
    </div>
  );
}
