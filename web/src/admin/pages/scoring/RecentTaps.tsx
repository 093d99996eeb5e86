import { ActionIcon, Button, Text } from '@mantine/core';
import {
  IconArrowBackUp,
  IconCheck,
  IconCloudOff,
  IconCloudUpload,
  type IconProps,
  IconRotate2,
  IconX,
} from '@tabler/icons-react';
import { type ComponentType, memo } from 'react';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useScoring, useTaps } from './board-context.ts';
import classes from './Give.module.css';
import type { Tap } from './scoring-queue.ts';
import { useTapText } from './tap-text.ts';
import { texts } from './texts.ts';

const icons: Readonly<Record<Tap['state'], ComponentType<IconProps>>> = {
  sending: IconCloudUpload,
  waiting: IconCloudOff,
  done: IconCheck,
  refused: IconX,
  undoing: IconRotate2,
  undone: IconArrowBackUp,
};

/** The latest taps of this class, and those of others that still matter, each with its undo. */
export function RecentTaps({ classId }: { readonly classId: number }) {
  const t = useTexts(texts);
  const taps = useTaps().filter(
    (tap) => tap.classId === classId || !(tap.state === 'done' || tap.state === 'undone'),
  );
  if (taps.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('recentEmpty')}
      </Text>
    );
  }
  return (
    <ul className={classes.taps} aria-label={t('recent')}>
      {taps.map((tap) => (
        <TapEntry key={tap.key} tap={tap} elsewhere={tap.classId !== classId} />
      ))}
    </ul>
  );
}

/** One tap: what it was, what became of it, and its undo. */
export const TapEntry = memo(function TapEntry({
  tap,
  elsewhere = false,
}: {
  readonly tap: Tap;
  readonly elsewhere?: boolean;
}) {
  const t = useTexts(texts);
  const c = useTexts(commonTexts);
  const { board, queue } = useScoring();
  const tapText = useTapText();
  const stateText = useStateText();
  const what = tapText(tap);
  const back = queue.isTakenBack(tap);
  const Shown = icons[tap.takenBack && tap.state !== 'waiting' ? 'undoing' : tap.state];
  return (
    <li className={classes.tap} data-state={tap.state} data-back={back || undefined}>
      <Shown aria-hidden size={17} stroke={1.8} />
      <span className={classes.tapText}>
        <span className={classes.tapWhat}>{what}</span>
        {tap.description !== '' && ` · ${tap.description}`}
        {elsewhere && ` (${t('otherClass')})`}
        <span className={classes.tapState} data-state={tap.state}>
          {stateText(tap)}
        </span>
      </span>
      {tap.state === 'refused' ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={40}
          aria-label={t('dismiss', { what })}
          onClick={() => queue.dismiss(tap.key)}
        >
          <IconX aria-hidden size={18} />
        </ActionIcon>
      ) : (
        !back && (
          <Button
            variant="subtle"
            size="compact-sm"
            h={40}
            aria-label={t('undoTap', { what })}
            onClick={() => board.undo(tap.key)}
          >
            {c('undo')}
          </Button>
        )
      )}
    </li>
  );
});

function useStateText(): (tap: Tap) => string {
  const t = useTexts(texts);
  return ({ state, message, refusedCount, takenBack }) => {
    switch (state) {
      case 'sending':
        return takenBack ? t('stateUndoing') : t('stateSending');
      case 'waiting':
        return t('stateWaiting');
      case 'undoing':
        return t('stateUndoing');
      case 'undone':
        return t('stateUndone');
      case 'refused':
        return t('stateRefused', { message: message ?? '' });
      case 'done':
        if (refusedCount > 0) return t('statePartly', { count: refusedCount });
        return message === null ? t('stateDone') : t('stateUndoFailed', { message });
    }
  };
}

/** Says calmly that something waits for the network. */
export function WaitingNote() {
  const t = useTexts(texts);
  const taps = useTaps();
  if (!taps.some(({ state }) => state === 'waiting')) return null;
  // Those behind the one that waits are only next in turn.
  const count = taps.filter(({ state }) => state === 'waiting' || state === 'sending').length;
  return (
    <div className={classes.waiting} role="status">
      <IconCloudOff aria-hidden size={18} />
      <span>{t('offline', { count })}</span>
    </div>
  );
}
