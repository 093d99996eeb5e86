import { ActionIcon, Alert, Button, Text } from '@mantine/core';
import {
  IconArrowBackUp,
  IconCheck,
  IconCloudOff,
  IconCloudQuestion,
  IconCloudUpload,
  type IconProps,
  IconRotate2,
  IconX,
} from '@tabler/icons-react';
import { type ComponentType, memo, type ReactNode, useSyncExternalStore } from 'react';
import { useConnected } from '../../../api/connection.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { isTakenBack, mayGiveUp, maySendAgain, type PointsEntry } from '../../outbox/entry.ts';
import { reasonOf, waitingCount } from '../../outbox/points-entry.ts';
import { usePointsEntries, useScoring, useStudentNameOf } from './board-context.ts';
import classes from './Give.module.css';
import { PointsNoteButton } from './TapNote.tsx';
import { usePointsText, useProblemText } from './tap-text.ts';
import { texts } from './texts.ts';

const icons: Readonly<Record<PointsEntry['state'], ComponentType<IconProps>>> = {
  sending: IconCloudUpload,
  waiting: IconCloudOff,
  unsure: IconCloudQuestion,
  done: IconCheck,
  refused: IconX,
  undoing: IconRotate2,
  undone: IconArrowBackUp,
};

export function RecentPoints() {
  const t = useTexts(texts);
  const { schoolDb, classId } = useScoring();
  const taps = usePointsEntries().filter(
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
        <PointsRow key={tap.key} tap={tap} withNote={tap.schoolDb === schoolDb} />
      ))}
    </ul>
  );
}

/** Shows the points of one tap. `aside` comes before the buttons. */
export function NewestPoints({ tap, aside }: { readonly tap: PointsEntry; readonly aside?: ReactNode }) {
  return (
    <ul className={classes.taps} data-newest>
      {/* The key recreates the entry for each tap, because the undo button is another one then. */}
      <PointsRow key={tap.key} tap={tap} aside={aside} />
    </ul>
  );
}

interface PointsRowProps {
  readonly tap: PointsEntry;
  readonly withNote?: boolean;
  readonly aside?: ReactNode;
}

const PointsRow = memo(function PointsRow({ tap, withNote = false, aside }: PointsRowProps) {
  const t = useTexts(texts);
  const pointsText = usePointsText();
  const stateText = useStateText();
  const { board, classId } = useScoring();
  // Reads the text again when the board changes, because names may load after the taps.
  const what = useSyncExternalStore(board.subscribe, () => pointsText(tap));
  // For an `unsure` tap, it is not known whether it was revoked.
  const isBack = isTakenBack(tap) && tap.state !== 'unsure';
  const Shown = icons[tap.takenBack && tap.state === 'sending' ? 'undoing' : tap.state];
  return (
    <li className={classes.tap} data-state={tap.state}>
      <Shown aria-hidden size={17} stroke={1.8} />
      <Text size="sm" flex={1} miw={0} lh={1.3}>
        <Text span inherit fw={600} {...(isBack && { td: 'line-through', c: 'dimmed' })}>
          {what}
        </Text>
        {reasonOf(tap) !== '' && ` · ${reasonOf(tap)}`}
        {tap.classId !== classId && ` (${t('otherClass')})`}
        <Text span display="block" fz={13} c={tap.state === 'refused' ? 'var(--app-minus)' : 'dimmed'}>
          {stateText(tap)}
        </Text>
      </Text>
      {aside}
      {withNote && <PointsNoteButton tap={tap} what={what} />}
      <PointsActions tap={tap} what={what} />
    </li>
  );
});

function PointsActions({ tap, what }: { readonly tap: PointsEntry; readonly what: string }) {
  const t = useTexts(texts);
  const { board, queue } = useScoring();
  const action = (text: string, label: string, run: () => void) => (
    <Button variant="subtle" size="compact-sm" h={40} aria-label={label} onClick={run}>
      {text}
    </Button>
  );
  if (tap.state === 'refused') {
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        size={40}
        aria-label={t('dismiss', { what })}
        onClick={() => queue.giveUp(tap.key)}
      >
        <IconX aria-hidden size={18} />
      </ActionIcon>
    );
  }
  return (
    <>
      {maySendAgain(tap) &&
        action(t('sendAgain'), t('sendTapAgain', { what }), () => queue.sendAgain(tap.key))}
      {mayGiveUp(tap) && action(t('giveUp'), t('giveUpTap', { what }), () => queue.giveUp(tap.key))}
      {tap.state !== 'unsure' &&
        !isTakenBack(tap) &&
        action(t('undo'), t('undoTap', { what }), () => board.undo(tap.key))}
    </>
  );
}

function useStateText(): (tap: PointsEntry) => string {
  const t = useTexts(texts);
  const problemText = useProblemText();
  const nameOf = useStudentNameOf();
  return ({ state, problem, refusedIds, stuckIds, takenBack, failures }) => {
    switch (state) {
      case 'sending':
        return takenBack ? t('stateUndoing') : t('stateSending');
      case 'waiting':
        return t(failures > 0 ? 'stateFailing' : 'stateWaiting');
      case 'unsure':
        return t('stateUnsure');
      case 'undoing':
        return t(failures > 0 ? 'stateFailing' : 'stateUndoing');
      case 'undone':
        if (stuckIds.length === 0) return t('stateUndone');
        return t('stateUndonePartly', { count: stuckIds.length, message: problemText(problem) });
      case 'refused':
        return t('stateRefused', { message: problemText(problem) });
      case 'done': {
        const message = problemText(problem);
        if (stuckIds.length > 0) return t('stateUndoFailed', { message });
        if (refusedIds.length === 0) return t('stateDone');
        const names = refusedIds.map((id) => nameOf(id) ?? `#${id}`).join(', ');
        return t('statePartly', { names, message });
      }
    }
  };
}

export function WaitingNotice() {
  const t = useTexts(texts);
  const taps = usePointsEntries();
  const isConnected = useConnected();
  const count = waitingCount(taps, isConnected);
  if (count === 0) return null;
  return (
    <Alert role="status" color="gray" p="xs" icon={<IconCloudOff aria-hidden size={18} />}>
      {t(isConnected ? 'waiting' : 'offline', { count })}
    </Alert>
  );
}
