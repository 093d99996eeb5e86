import { ActionIcon, Drawer, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronUp, IconExternalLink, IconUserCheck, IconUserOff, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useLayoutEffect, useRef } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { announceMoved, announceOpened } from '../../../press-guard/guard-presses.ts';
import type { Tap } from '../../outbox/entry.ts';
import { useTool } from '../../use-tool.ts';
import { useAbsent, useChoice, useScoring, useStudentView, useTaps } from './board-context.ts';
import { useChoiceFoldedNote } from './GiftNote.tsx';
import classes from './Give.module.css';
import {
  ChosenStudents,
  FoldedCustomPoints,
  nobodyId,
  TemplateButtons,
  type TemplatesState,
} from './GivePanel.tsx';
import { RecentTaps, TapEntry, WaitingNote } from './RecentTaps.tsx';
import type { Gift } from './scoring-board.ts';
import { texts } from './texts.ts';

interface GiveSheetProps {
  readonly classId: number;
  readonly templates: TemplatesState;
  readonly onGive: (gift: Gift) => void;
}

/** Stays open after points are given. An `unsure` tap of any class comes first: a person must decide about it. */
export function GiveSheet({ classId, templates, onGive }: GiveSheetProps) {
  const t = useTexts(texts);
  const { board } = useScoring();
  const { ids, teamIds = [], spent } = useChoice();
  const taps = useTaps();
  const unsure = taps.find(({ state }) => state === 'unsure');
  const ofClass = taps.filter((tap) => tap.classId === classId);
  const newest = unsure ?? ofClass[0];
  const note = useChoiceFoldedNote();
  const [listOpen, list] = useDisclosure();
  const giving = ids.length + teamIds.length > 0;
  // Shows a tap only if it was for the current selection.
  const given =
    spent &&
    ofClass.find(
      (tap) => tap.studentIds.join() === ids.join() && (tap.teamIds ?? []).join() === teamIds.join(),
    );
  const sheet = useRef<HTMLElement>(null);
  // A tap meant for the next card must not give to the selected student.
  useLayoutEffect(() => {
    if (giving && sheet.current) announceOpened(sheet.current);
  }, [giving]);
  if (!giving && !newest) return null;
  return (
    <>
      <div className={giving ? classes.sheetSpace : undefined} />
      <section ref={sheet} className={classes.sheet} aria-label={giving ? t('give') : t('recent')}>
        {giving ? (
          <>
            {unsure && (
              <div ref={announceShown}>
                <NewestTap tap={unsure} classId={classId} />
              </div>
            )}
            <WaitingNote />
            <Group justify="space-between" wrap="nowrap" gap={4}>
              {given && given !== unsure ? (
                <section className={classes.given} aria-label={t('recent')}>
                  <NewestTap tap={given} classId={classId} withTotal />
                </section>
              ) : (
                <>
                  <ChosenStudents />
                  {ids.length > 0 && <HeaderActions ids={ids} />}
                </>
              )}
              <ActionIcon
                variant="subtle"
                color="gray"
                size={44}
                aria-label={t('chooseNone')}
                onClick={() => board.clearChoice()}
              >
                <IconX aria-hidden size={20} />
              </ActionIcon>
            </Group>
            <Stack gap="xs" className={classes.sheetScroll ?? ''}>
              <TemplateButtons templates={templates} onGive={onGive} />
            </Stack>
            <FoldedCustomPoints onGive={onGive} note={note} />
          </>
        ) : (
          <>
            {/* The open drawer shows the note itself. */}
            {!listOpen && <WaitingNote />}
            <Group gap={4} wrap="nowrap">
              {newest && <NewestTap tap={newest} classId={classId} />}
              <ActionIcon
                variant="subtle"
                color="gray"
                size={44}
                aria-label={t('recentShow')}
                onClick={list.open}
              >
                <IconChevronUp aria-hidden size={20} />
              </ActionIcon>
            </Group>
          </>
        )}
      </section>
      <Drawer
        opened={listOpen}
        onClose={list.close}
        position="bottom"
        size="70%"
        title={
          <Text span fw={650}>
            {t('recent')}
          </Text>
        }
      >
        <Stack gap="xs">
          <WaitingNote />
          <RecentTaps classId={classId} />
        </Stack>
      </Drawer>
    </>
  );
}

/** The sheet appears by itself, where a finger may be on its way to a card. */
function announceShown(element: HTMLElement | null): void {
  if (element) announceMoved(element);
}

function HeaderActions({ ids }: { readonly ids: readonly number[] }) {
  const t = useTexts(texts);
  const { board } = useScoring();
  const absent = useAbsent();
  const offered = useTool('attendance');
  const areAbsent = ids.every((id) => absent.has(id));
  const Shown = areAbsent ? IconUserCheck : IconUserOff;
  return (
    <Group gap={0} wrap="nowrap" ml="auto">
      {ids.length === 1 && (
        <ActionIcon
          component={Link}
          to={`/students/${ids[0]}`}
          variant="subtle"
          color="gray"
          size={44}
          aria-label={t('studentPage')}
        >
          <IconExternalLink aria-hidden size={20} />
        </ActionIcon>
      )}
      {offered && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={44}
          aria-label={t(areAbsent ? 'markPresent' : 'markAbsent')}
          onClick={() => board.setAbsent(ids, !areAbsent)}
        >
          <Shown aria-hidden size={20} />
        </ActionIcon>
      )}
    </Group>
  );
}

function NewTotal({ of }: { readonly of: Tap }) {
  const t = useTexts(texts);
  const { format } = useScoring();
  const [id, ...others] = of.studentIds;
  const view = useStudentView(id ?? nobodyId);
  if (!view || others.length > 0) return null;
  return (
    <span className={classes.newTotal}>
      <span aria-hidden>{format.number(view.total)}</span>
      <span className="visually-hidden">{t('points', { count: view.total })}</span>
    </span>
  );
}

interface NewestTapProps {
  readonly tap: Tap;
  readonly classId: number;
  readonly withTotal?: boolean;
}

function NewestTap({ tap, classId, withTotal = false }: NewestTapProps) {
  return (
    <ul className={classes.taps} data-newest>
      {/* A new element per tap, because its undo button differs. */}
      <TapEntry
        key={tap.key}
        tap={tap}
        elsewhere={tap.classId !== classId}
        aside={withTotal && <NewTotal of={tap} />}
      />
    </ul>
  );
}
