import { ActionIcon, Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { useLocalStorage, useReducedMotion } from '@mantine/hooks';
import { IconDice5, IconMinus, IconPlus } from '@tabler/icons-react';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useStudentNames } from '../../../components/student-names.ts';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import type { ClassPicks } from '../use-picks.ts';
import { useScoring, useStudentNameOf, useStudentView, useTaps } from './board-context.ts';
import { type PickCounts, pickWithoutRepeats } from './fair-pick.ts';
import give from './Give.module.css';
import { FoldedCustomPoints, TemplateButtons, type TemplatesState, templateShortcuts } from './GivePanel.tsx';
import { GivenPoints } from './Marks.tsx';
import classes from './Pick.module.css';
import { TapEntry } from './RecentTaps.tsx';
import type { Gift } from './scoring-board.ts';
import { texts } from './texts.ts';
import { useShortcuts } from './use-shortcuts.ts';

interface PickDialogProps {
  readonly candidates: readonly number[];
  readonly amongChosen: boolean;
  readonly picks: ClassPicks;
  readonly memoryKey: string;
  readonly templates: TemplatesState;
  readonly onClose: () => void;
}

const rollMs = 1_100;
const frameMs = 75;
const pickedMax = 10;

export function PickDialog(props: PickDialogProps) {
  const { candidates, amongChosen, picks, memoryKey, templates, onClose } = props;
  const t = useTexts(texts);
  const language = useLanguage();
  const { board: scoring, queue } = useScoring();
  const calm = useReducedMotion(false, { getInitialValueInEffect: false });
  const [counts, setCounts] = useLocalStorage<PickCounts>({
    key: memoryKey,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const [wanted, setWanted] = useState(1);
  const [picked, setPicked] = useState<readonly number[]>([]);
  const [rolling, setRolling] = useState<readonly number[] | null>(null);
  const open = useRef(true);
  const timers = useRef<ReturnType<typeof setInterval>[]>([]);
  const stop = useCallback(() => {
    for (const timer of timers.current) clearInterval(timer);
    timers.current = [];
  }, []);
  const asking = useRef(false);
  const pick = async () => {
    if (asking.current) return;
    asking.current = true;
    const today = await picks.fetchLatest();
    asking.current = false;
    if (!open.current) return;
    stop();
    const result = pickWithoutRepeats(candidates, wanted, { counts, today });
    setCounts(result.counts);
    picks.mark(result.picked, result.again);
    setPicked(result.picked);
    if (calm || result.picked.length === 0) return;
    const anybody = () => candidates[Math.floor(Math.random() * candidates.length)] as number;
    const roll = () => setRolling(result.picked.map(anybody));
    roll();
    const rolls = setInterval(roll, frameMs);
    const end = setTimeout(() => {
      stop();
      setRolling(null);
    }, rollMs);
    timers.current = [rolls, end];
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    open.current = true;
    const first = setTimeout(() => void pick(), 0);
    return () => {
      open.current = false;
      clearTimeout(first);
      stop();
    };
  }, []);

  const [given, setGiven] = useState<readonly string[]>([]);
  const givePicked = (gift: Gift) => {
    if (rolling) return;
    const before = new Set(queue.taps.map(({ key }) => key));
    scoring.give(gift, picked);
    const made = queue.taps.map(({ key }) => key).filter((key) => !before.has(key));
    setGiven([...made, ...given]);
  };
  useShortcuts(
    {
      r: () => void pick(),
      'mod+z': () => scoring.undoNewest(),
      ...templateShortcuts(templates, givePicked),
    },
    true,
  );

  const done = picks.ids.filter((id) => candidates.includes(id));
  const startOver = () => {
    setCounts({});
    picks.mark([], picks.ids);
  };
  const shown = rolling ?? picked;
  const most = Math.min(pickedMax, Math.max(1, candidates.length));
  const nameOf = useStudentNameOf();
  const names = picked.map((id) => nameOf(id) ?? '');
  return (
    <Modal opened onClose={onClose} title={t('pickTitle')} size="xl">
      <Stack>
        {candidates.length === 0 ? (
          <Text c="dimmed">{t('pickNobody')}</Text>
        ) : (
          <div
            className={classes.stage}
            data-rolling={rolling !== null || undefined}
            data-many={shown.length > 1 || undefined}
          >
            {shown.map((id, index) => (
              <Picked key={rolling ? index : `${index} ${id}`} id={id} rolling={rolling !== null} />
            ))}
          </div>
        )}
        <div className="visually-hidden" role="status">
          {rolling || names.length === 0
            ? ''
            : t('pickDone', { names: new Intl.ListFormat(language).format(names) })}
        </div>
        {/* Both have the same height, so the buttons below stay in place. */}
        <div className={classes.line}>
          <GivenSummary
            given={given}
            instead={
              <Text size="sm" c="dimmed">
                {amongChosen ? t('pickAmong', { count: candidates.length }) : t('pickFair')}
              </Text>
            }
          />
        </div>
        <Group justify="space-between" gap="sm">
          <Group gap={6} wrap="nowrap">
            <Button
              size="md"
              leftSection={<IconDice5 aria-hidden size={20} />}
              onClick={() => void pick()}
              disabled={candidates.length === 0}
              data-autofocus
            >
              {picked.length === 0 ? t('pickFirst') : t('pickAgain')}
            </Button>
            <ActionIcon
              variant="default"
              size={42}
              aria-label={t('pickFewer')}
              disabled={wanted <= 1}
              onClick={() => setWanted(wanted - 1)}
            >
              <IconMinus aria-hidden size={18} />
            </ActionIcon>
            <NumberInput
              aria-label={t('pickCount')}
              value={wanted}
              onChange={(value) => setWanted(Math.max(1, Number(value) || 1))}
              min={1}
              max={most}
              clampBehavior="strict"
              allowDecimal={false}
              hideControls
              size="md"
              w={52}
              styles={{ input: { textAlign: 'center', fontWeight: 650, paddingInline: 4 } }}
            />
            <ActionIcon
              variant="default"
              size={42}
              aria-label={t('pickMore')}
              disabled={wanted >= most}
              onClick={() => setWanted(wanted + 1)}
            >
              <IconPlus aria-hidden size={18} />
            </ActionIcon>
          </Group>
          <Group gap={4}>
            <Text size="sm" c="dimmed">
              {t('pickRound', { done: done.length, total: candidates.length })}
            </Text>
            <Button variant="subtle" size="compact-sm" onClick={startOver}>
              {t('pickReset')}
            </Button>
          </Group>
        </Group>
        {picked.length > 0 && <TemplateButtons templates={templates} onGive={givePicked} withKeys />}
        {picked.length > 0 && <FoldedCustomPoints onGive={givePicked} />}
      </Stack>
    </Modal>
  );
}

/** `given` has the keys of this dialog's taps, newest first. */
function GivenSummary({
  given,
  instead,
}: {
  readonly given: readonly string[];
  readonly instead: ReactNode;
}) {
  const taps = useTaps();
  const newest = given.flatMap((key) => taps.find((tap) => tap.key === key) ?? [])[0];
  if (!newest) return instead;
  return (
    <ul className={give.taps}>
      {/* A new element per tap, because its undo button differs. */}
      <TapEntry key={newest.key} tap={newest} />
    </ul>
  );
}

function Picked({ id, rolling }: { readonly id: number; readonly rolling: boolean }) {
  const { format } = useScoring();
  const view = useStudentView(id);
  const { numberOf } = useStudentNames();
  if (!view) return null;
  const { student, total, flash } = view;
  const number = numberOf(student);
  return (
    <div className={classes.picked} aria-hidden={rolling}>
      <div className={classes.name}>{student.actualName}</div>
      {number !== null && <div className={classes.number}>{number}</div>}
      {!rolling && <div className={classes.total}>{format.number(total)}</div>}
      {!rolling && flash && <GivenPoints flash={flash} />}
    </div>
  );
}
