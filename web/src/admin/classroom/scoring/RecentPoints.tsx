import { Alert, Box, Button, Group, Stack, Text } from '@mantine/core';
import {
  IconArrowBackUp,
  IconCheck,
  IconCloudOff,
  IconCloudQuestion,
  IconCloudUpload,
  IconNote,
  IconNotes,
  type IconProps,
  IconRotate2,
  IconX,
} from '@tabler/icons-react';
import { type ComponentType, memo, type ReactNode } from 'react';
import { useIsConnected } from '../../../api/connection.ts';
import { Hint } from '../../../components/Hint.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { NoteDialog } from '../../notes/NoteDialog.tsx';
import { isTakenBack, mayGiveUp, maySendAgain, type PointsEntry } from '../../outbox/entry.ts';
import { pointsReasonOf, waitingEntryCount } from '../../outbox/points-entry.ts';
import { useOpenDialog } from '../../page/dialogs.tsx';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { IconButton } from '../parts.tsx';
import {
  useBoard,
  usePointsEntries,
  usePointsText,
  useProblemText,
  useScoring,
  useStudentNameOf,
} from './board-context.ts';
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
  const entries = usePointsEntries().filter(
    (entry) => entry.classId === classId || !(entry.state === 'done' || entry.state === 'undone'),
  );
  if (entries.length === 0) return <Hint>{t('recentEmpty')}</Hint>;
  return (
    <Stack
      component="ul"
      gap={2}
      mih={0}
      mah={320}
      mx={-8}
      my={0}
      p={0}
      style={{ overflowY: 'auto' }}
      aria-label={t('recent')}
    >
      {entries.map((entry) => (
        <PointsRow key={entry.key} entry={entry} withNote={entry.schoolDb === schoolDb} />
      ))}
    </Stack>
  );
}

export function NewestPoints({ entry, aside }: { readonly entry: PointsEntry; readonly aside?: ReactNode }) {
  return (
    <Box component="ul" flex={1} miw={0} mx={-8} my={0} p={0}>
      {/* The key recreates the entry for each entry, because the undo button is another one then. */}
      <PointsRow key={entry.key} entry={entry} aside={aside} />
    </Box>
  );
}

interface PointsRowProps {
  readonly entry: PointsEntry;
  readonly withNote?: boolean;
  readonly aside?: ReactNode;
}

const PointsRow = memo(function PointsRow({ entry, withNote = false, aside }: PointsRowProps) {
  const t = useTexts(texts);
  const pointsText = usePointsText();
  const stateText = useStateText();
  const { classId } = useScoring();
  // Reads the text again when the board changes, because names may load after the entries.
  const what = useBoard(() => pointsText(entry));
  // For an `unsure` entry, it is not known whether it was revoked.
  const isRevoked = isTakenBack(entry) && entry.state !== 'unsure';
  const Shown = icons[entry.takenBack && entry.state === 'sending' ? 'undoing' : entry.state];
  return (
    <Group
      component="li"
      gap={8}
      wrap="nowrap"
      mih={44}
      p="2px 4px 2px 8px"
      bdrs={10}
      // Scrolls a long list: if entries could shrink, those with two lines would overlap.
      flex="none"
      {...(entry.state === 'refused' && { bg: 'color-mix(in srgb, var(--app-minus) 8%, transparent)' })}
    >
      <Shown aria-hidden size={17} stroke={1.8} />
      <Text size="sm" flex={1} miw={0} lh={1.3}>
        <Text span inherit fw={600} {...(isRevoked && { td: 'line-through', c: 'dimmed' })}>
          {what}
        </Text>
        {pointsReasonOf(entry) !== '' && ` · ${pointsReasonOf(entry)}`}
        {entry.classId !== classId && ` (${t('otherClass')})`}
        <Text span display="block" fz={13} c={entry.state === 'refused' ? 'var(--app-minus)' : 'dimmed'}>
          {stateText(entry)}
        </Text>
      </Text>
      {aside}
      {withNote && <PointsNoteButton entry={entry} what={what} />}
      <PointsActions entry={entry} what={what} />
    </Group>
  );
});

function PointsActions({ entry, what }: { readonly entry: PointsEntry; readonly what: string }) {
  const t = useTexts(texts);
  const { board, queue } = useScoring();
  const { key, state } = entry;
  const giveUp = () => queue.outbox.giveUp(key);
  const action = (text: string, label: string, run: () => void) => (
    <Button variant="subtle" size="compact-sm" h={40} aria-label={label} onClick={run}>
      {text}
    </Button>
  );
  if (state === 'refused') return <IconButton icon={IconX} label={t('dismiss', { what })} onClick={giveUp} />;
  return (
    <>
      {maySendAgain(entry) &&
        action(t('sendAgain'), t('sendPointsAgain', { what }), () => queue.outbox.sendAgain(key))}
      {mayGiveUp(entry) && action(t('giveUp'), t('giveUpPoints', { what }), giveUp)}
      {state !== 'unsure' &&
        !isTakenBack(entry) &&
        action(t('undo'), t('undoPoints', { what }), () => board.undo(key))}
    </>
  );
}

function useStateText(): (entry: PointsEntry) => string {
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
  const entries = usePointsEntries();
  const isConnected = useIsConnected();
  const count = waitingEntryCount(entries, isConnected);
  if (count === 0) return null;
  return (
    <Alert role="status" color="gray" p="xs" flex="none" icon={<IconCloudOff aria-hidden size={18} />}>
      {t(isConnected ? 'waiting' : 'offline', { count })}
    </Alert>
  );
}

function PointsNoteButton({ entry, what }: { readonly entry: PointsEntry; readonly what: string }) {
  const t = useTexts(texts);
  const offered = useIsToolEnabled('notes');
  const open = useOpenDialog();
  const { queue } = useScoring();
  const { note = null, teamIds } = entry;
  // Offers no note for teams: ids of team records may equal ids of student records.
  if (!offered || teamIds || entry.state !== 'done' || entry.logIds.length === 0) return null;
  const label = t('notePoints', { what });
  return (
    <IconButton
      color={note === null ? 'gray' : 'teal'}
      icon={note === null ? IconNote : IconNotes}
      label={label}
      title={note ?? label}
      onClick={() =>
        open((dialog) => (
          <NoteDialog
            {...dialog}
            ids={entry.logIds}
            note={note}
            onSaved={(saved) => queue.setNote(entry.key, saved)}
          />
        ))
      }
    />
  );
}
