import type { Student } from '@classledger/contract';
import { Box, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useInterval, useReducedMotion, useTimeout } from '@mantine/hooks';
import { IconDice5 } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Hint } from '../../../components/Hint.tsx';
import { useStudentNames } from '../../../components/student-names.ts';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { pickWithoutRepeats } from '../random.ts';
import type { ClassPicks } from '../use-picks.ts';
import { type OpenPick, useBoard, usePointsEntries, useScoring, useStudentNameOf } from './board-context.ts';
import { FoldedCustomPoints, NumberStepper } from './CustomPoints.tsx';
import classes from './Give.module.css';
import { NewestPoints } from './RecentPoints.tsx';
import { GivenPoints } from './StudentCard.tsx';
import type { PointChange, ScoringBoard } from './scoring-board.ts';
import { TemplateButtons, useTemplateShortcuts } from './TemplateButtons.tsx';
import { texts } from './texts.ts';
import { useShortcuts } from './use-shortcuts.ts';

interface PickDialogProps {
  readonly everybody: readonly Student[];
  readonly picks: ClassPicks;
  /** Contains no ids when the dialog was just opened. */
  readonly picked: OpenPick;
  readonly onPick: (picked: OpenPick) => void;
  readonly onClose: () => void;
}

const pickedMax = 10;

export function PickDialog({ everybody, picks, picked, onPick, onClose }: PickDialogProps) {
  const t = useTexts(texts);
  const { board, classId } = useScoring();
  const { candidates, isAmongSelected } = candidatesOf(board, everybody, picked);
  const most = Math.min(pickedMax, Math.max(1, candidates.length));
  const [wanted, setWanted] = useState(Math.max(1, picked.ids.length));
  const count = Math.min(wanted, most);
  const { rolling, roll } = useRoll(candidates);
  const latest = useMutation({ mutationFn: picks.fetchLatest });
  const finish = (today: readonly number[]) => {
    const { picked: ids, again } = pickWithoutRepeats(candidates, count, today);
    picks.mark(ids, again);
    onPick({ ...picked, ids, ...(isAmongSelected && { among: candidates }) });
    roll(ids.length);
  };
  // Picks nobody if the dialog is closed before the answer.
  const pick = () => {
    if (!latest.isPending) latest.mutate(undefined, { onSuccess: finish });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: picks once, unless a reload shows picked students again
  useEffect(() => {
    const first = setTimeout(() => {
      if (picked.ids.length === 0) pick();
    }, 0);
    return () => clearTimeout(first);
  }, []);
  const give = (pointChange: PointChange) => {
    if (!rolling) board.give(pointChange, picked.ids);
  };
  useShortcuts({ r: pick, 'mod+z': () => board.undoNewest(), ...useTemplateShortcuts(give) }, true);
  const given = usePointsEntries().find((entry) => entry.classId === classId && entry.at >= picked.openedAt);
  const done = picks.ids.filter((id) => candidates.includes(id));
  return (
    <Modal opened onClose={onClose} title={t('random')} size="xl">
      <Stack>
        {candidates.length === 0 ? (
          <Text c="dimmed">{t('pickNobody')}</Text>
        ) : (
          <Stage ids={rolling ?? picked.ids} isRolling={rolling !== null} />
        )}
        {/* Both the points and the hint have this height, so that the buttons below stay in place. */}
        <Group mih={46} my={-8}>
          {given ? (
            <NewestPoints entry={given} />
          ) : (
            <Hint>{isAmongSelected ? t('pickAmong', { count: candidates.length }) : t('pickFair')}</Hint>
          )}
        </Group>
        <Group justify="space-between" gap="sm">
          <Group gap={6} wrap="nowrap">
            <Button
              size="md"
              leftSection={<IconDice5 aria-hidden size={20} />}
              onClick={pick}
              disabled={candidates.length === 0}
              data-autofocus
            >
              {picked.ids.length === 0 ? t('pickFirst') : t('pickAgain')}
            </Button>
            <NumberStepper
              aria-label={t('pickCount')}
              lessLabel={t('pickFewer')}
              moreLabel={t('pickMore')}
              value={count}
              onChange={(value) => setWanted(Math.max(1, Number(value) || 1))}
              onStep={(by) => setWanted(count + by)}
              min={1}
              max={most}
            />
          </Group>
          <Group gap={4}>
            <Hint>{t('pickRound', { done: done.length, total: candidates.length })}</Hint>
            <Button variant="subtle" size="compact-sm" onClick={() => picks.mark([], picks.ids)}>
              {t('pickReset')}
            </Button>
          </Group>
        </Group>
        {picked.ids.length > 0 && (
          <>
            <TemplateButtons onGive={give} withKeys />
            <FoldedCustomPoints onGive={give} />
          </>
        )}
      </Stack>
    </Modal>
  );
}

/** Returns the students to pick from: the selected ones if there are several, otherwise all who are present. */
function candidatesOf(
  { selection, absent }: ScoringBoard,
  everybody: readonly Student[],
  { among }: OpenPick,
) {
  const selected = selection.ids.length > 1 && !selection.isUsed ? selection.ids : among;
  const candidates = everybody
    .map(({ id }) => id)
    .filter((id) => (selected ? selected.includes(id) : !absent.has(id)));
  return { candidates, isAmongSelected: selected !== undefined };
}

const rollMs = 1_100;
const frameMs = 75;

/** Shows random students for a moment before the picked ones; `rolling` is null otherwise. */
function useRoll(candidates: readonly number[]) {
  const isCalm = useReducedMotion(false, { getInitialValueInEffect: false });
  const [rolling, setRolling] = useState<readonly number[] | null>(null);
  const anyone = () => candidates[Math.floor(Math.random() * candidates.length)] as number;
  const change = useInterval(() => setRolling((before) => before?.map(anyone) ?? null), frameMs);
  const stop = () => {
    change.stop();
    setRolling(null);
  };
  const end = useTimeout(stop, rollMs);
  const roll = (count: number) => {
    end.clear();
    stop();
    if (isCalm || count === 0) return;
    setRolling(Array.from({ length: count }, anyone));
    change.start();
    end.start();
  };
  return { rolling, roll };
}

function Stage({ ids, isRolling }: { readonly ids: readonly number[]; readonly isRolling: boolean }) {
  const t = useTexts(texts);
  const list = new Intl.ListFormat(useLanguage());
  const nameOf = useStudentNameOf();
  const names = list.format(ids.map((id) => nameOf(id) ?? ''));
  return (
    <>
      <Group
        className={classes.stage ?? ''}
        justify="center"
        gap="12px 40px"
        p="md"
        bdrs={16}
        bg="var(--app-accent-soft)"
        aria-hidden={isRolling}
      >
        {ids.map((id, index) => (
          <PickedStudent
            key={isRolling ? index : `${index} ${id}`}
            id={id}
            isRolling={isRolling}
            nameSize={ids.length > 1 ? 'clamp(1.5rem, 5vw, 2.5rem)' : 'clamp(2.5rem, 6vw, 6.5rem)'}
          />
        ))}
      </Group>
      <div className="visually-hidden" role="status">
        {!isRolling && ids.length > 0 && t('pickDone', { names })}
      </div>
    </>
  );
}

interface PickedStudentProps {
  readonly id: number;
  readonly isRolling: boolean;
  readonly nameSize: string;
}

function PickedStudent({ id, isRolling, nameSize }: PickedStudentProps) {
  const { format } = useScoring();
  const view = useBoard((board) => board.view(id));
  const { numberOf } = useStudentNames();
  if (!view) return null;
  const { student, total, flash } = view;
  return (
    <Box pos="relative" ta="center" {...(!isRolling && { className: classes.landed })}>
      <Text
        fz={nameSize}
        fw={750}
        lh={1.15}
        style={{ overflowWrap: 'anywhere' }}
        {...(isRolling && { c: 'dimmed' })}
      >
        {student.actualName}
      </Text>
      <Text size="lg" c="dimmed">
        {numberOf(student)}
      </Text>
      {!isRolling && (
        <Text size="xl" fw={600} c="dimmed">
          {format.number(total)}
        </Text>
      )}
      {!isRolling && flash && <GivenPoints flash={flash} />}
    </Box>
  );
}
