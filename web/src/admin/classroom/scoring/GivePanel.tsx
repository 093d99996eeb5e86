import { Box, Drawer, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronUp, IconExternalLink, IconUserCheck, IconUserOff, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type PropsWithChildren, useLayoutEffect, useRef } from 'react';
import { Hint } from '../../../components/Hint.tsx';
import { useStudentNames } from '../../../components/student-names.ts';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { announceMoved, announceOpened } from '../../../press-guard/guard-presses.ts';
import type { PointsEntry } from '../../outbox/entry.ts';
import { Heading } from '../../page/Page.tsx';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { IconButton } from '../parts.tsx';
import {
  noStudentId,
  useBoard,
  useBoardSettings,
  usePointsEntries,
  useScoring,
  useStudentNameOf,
} from './board-context.ts';
import { CustomPoints, FoldedCustomPoints, PointsNoteField } from './CustomPoints.tsx';
import classes from './Give.module.css';
import { NewestPoints, RecentPoints, WaitingNotice } from './RecentPoints.tsx';
import type { PointChange } from './scoring-board.ts';
import { TemplateButtons } from './TemplateButtons.tsx';
import { texts } from './texts.ts';

interface GivePanelProps {
  readonly onGive: (pointChange: PointChange) => void;
  /** Called after the selected students were marked absent, which clears the selection. */
  readonly onAbsent: () => void;
}

export function GivePanel({ onGive, onAbsent }: GivePanelProps) {
  const t = useTexts(texts);
  const isIdle = !useBoard((board) => board.hasSelection);
  return (
    <Stack
      pos="sticky"
      top={16}
      gap={14}
      m={-8}
      p={8}
      // Limits the height, so that low screens still show the newest points and their undo button.
      mah="calc(100dvh - var(--board-top) - 8px - var(--timer-aside-room, 0px))"
    >
      <section className={classes.panel} aria-label={t('give')} data-idle={isIdle || undefined}>
        <SelectionHeader onAbsent={onAbsent} />
        <TemplateButtons onGive={onGive} withKeys />
        <CustomPoints onGive={onGive} isIdle={isIdle} />
        <Group gap={0} my={-6}>
          <PointsNoteField />
        </Group>
      </section>
      <WaitingNotice />
      <section className={classes.panel} data-recent aria-label={t('recent')}>
        <Heading>{t('recent')}</Heading>
        <RecentPoints />
      </section>
    </Stack>
  );
}

/** The bottom panel of narrow screens: templates while somebody is selected, otherwise the newest points. */
export function GiveSheet({ onGive, onAbsent }: GivePanelProps) {
  const { classId } = useScoring();
  const entries = usePointsEntries();
  // An `unsure` entry, of any class, comes first, because the user must decide about it.
  const unsure = entries.find(({ state }) => state === 'unsure');
  const newest = unsure ?? entries.find((entry) => entry.classId === classId);
  const hasSelection = useBoard((board) => board.hasSelection);
  if (hasSelection) return <OpenSheet unsure={unsure} onGive={onGive} onAbsent={onAbsent} />;
  return newest ? <ClosedSheet newest={newest} /> : null;
}

function OpenSheet({
  unsure,
  onGive,
  onAbsent,
}: GivePanelProps & { readonly unsure: PointsEntry | undefined }) {
  const t = useTexts(texts);
  const { board, classId } = useScoring();
  const { ids, teamIds = [], isUsed } = useBoard((now) => now.selection);
  // Shows the newest points only if the current selection got them.
  const given = usePointsEntries().find(
    (entry) =>
      isUsed &&
      entry.classId === classId &&
      entry.studentIds.join() === ids.join() &&
      (entry.teamIds ?? []).join() === teamIds.join(),
  );
  const sheet = useRef<HTMLElement>(null);
  // For a moment, ignores taps on the panel that were meant for a card under it.
  useLayoutEffect(() => {
    if (sheet.current) announceOpened(sheet.current);
  }, []);
  const closeButton = (
    <IconButton
      size={44}
      icon={IconX}
      iconSize={20}
      label={t('clearSelection')}
      onClick={() => board.clearSelection()}
    />
  );
  return (
    <>
      <Box h="min(50dvh, 430px)" />
      <section ref={sheet} className={classes.sheet} aria-label={t('give')}>
        {unsure && (
          <div ref={announceShown}>
            <NewestPoints entry={unsure} />
          </div>
        )}
        <WaitingNotice />
        {given && given !== unsure ? (
          <Group wrap="nowrap" gap={4}>
            <Box component="section" flex={1} miw={0} aria-label={t('recent')}>
              <NewestPoints entry={given} aside={<NewTotal of={given} />} />
            </Box>
            {closeButton}
          </Group>
        ) : (
          <SelectionHeader onAbsent={onAbsent}>{closeButton}</SelectionHeader>
        )}
        <Box mah="min(36dvh, 304px)" pt={8} style={{ overflowY: 'auto', overscrollBehavior: 'contain' }}>
          <TemplateButtons onGive={onGive} />
        </Box>
        <FoldedCustomPoints onGive={onGive}>
          <PointsNoteField />
        </FoldedCustomPoints>
      </section>
    </>
  );
}

function ClosedSheet({ newest }: { readonly newest: PointsEntry }) {
  const t = useTexts(texts);
  const [isListOpen, list] = useDisclosure();
  return (
    <>
      <section className={classes.sheet} aria-label={t('recent')}>
        {/* Not shown while the list is open, because the list shows this note too. */}
        {!isListOpen && <WaitingNotice />}
        <Group gap={4} wrap="nowrap">
          <NewestPoints entry={newest} />
          <IconButton
            size={44}
            icon={IconChevronUp}
            iconSize={20}
            label={t('recentShow')}
            onClick={list.open}
          />
        </Group>
      </section>
      <Drawer
        opened={isListOpen}
        onClose={list.close}
        position="bottom"
        size="70%"
        title={t('recent')}
        styles={{ title: { fontWeight: 650 } }}
      >
        <Stack gap="xs">
          <WaitingNotice />
          <RecentPoints />
        </Stack>
      </Drawer>
    </>
  );
}

/** Announces the entry, because it appears by itself where a finger may be about to tap a card. */
function announceShown(element: HTMLElement | null): void {
  if (element) announceMoved(element);
}

function NewTotal({ of }: { readonly of: PointsEntry }) {
  const t = useTexts(texts);
  const { format } = useScoring();
  const [id, ...others] = of.studentIds;
  const view = useBoard((board) => board.view(id ?? noStudentId));
  if (!view || others.length > 0) return null;
  return (
    <Text fw={700} c="dimmed" px={4}>
      <span aria-hidden>{format.number(view.total)}</span>
      <span className="visually-hidden">{t('pointsUnit', { count: view.total })}</span>
    </Text>
  );
}

/** Names the selected students or teams. Shows `children` after the buttons for students. */
function SelectionHeader({ onAbsent, children }: PropsWithChildren<Pick<GivePanelProps, 'onAbsent'>>) {
  const t = useTexts(texts);
  const { board } = useScoring();
  const { ids, isUsed } = useBoard((now) => now.selection);
  const absent = useBoard((now) => now.absent);
  const hasAttendance = useIsToolEnabled('attendance');
  const [first] = ids;
  const areAbsent = ids.every((id) => absent.has(id));
  const absentLabel = t(areAbsent ? 'markPresent' : 'markAbsent');
  const mark = () => {
    board.setAbsent(ids, !areAbsent);
    if (!areAbsent) onAbsent();
  };
  // Has the same height for every selection, so that the buttons below stay in place.
  return (
    <Group gap={4} wrap="nowrap" mih={46}>
      <SelectionTitle />
      {hasAttendance && ids.length > 0 && !isUsed && (
        <IconButton
          icon={areAbsent ? IconUserCheck : IconUserOff}
          label={absentLabel}
          title={absentLabel}
          onClick={mark}
        />
      )}
      {ids.length === 1 && (
        <IconButton
          renderRoot={(props) => (
            <Link to="/students/$studentId" params={{ studentId: String(first) }} {...props} />
          )}
          icon={IconExternalLink}
          label={t('studentPage')}
          title={t('studentPage')}
        />
      )}
      {children}
    </Group>
  );
}

function SelectionTitle() {
  const t = useTexts(texts);
  const list = new Intl.ListFormat(useLanguage());
  const [{ view }] = useBoardSettings();
  const nameOf = useStudentNameOf();
  const { teams } = useScoring();
  const { numberOf } = useStudentNames();
  const { ids, teamIds = [], isUsed } = useBoard((board) => board.selection);
  const [first = noStudentId] = ids;
  const only = useBoard((board) => board.view(ids.length === 1 ? first : noStudentId));
  const isFew = ids.length > 0 && ids.length <= 4;
  const title = () => {
    if (teamIds.length > 0)
      return list.format(teamIds.map((id) => teams.find((team) => team.id === id)?.name ?? ''));
    if (ids.length === 0) return t(view === 'teams' ? 'noTeamSelected' : 'nobodySelected');
    if (only) return only.student.actualName;
    return isFew ? list.format(ids.map((id) => nameOf(id) ?? '')) : t('selectedCount', { count: ids.length });
  };
  const state = () => {
    if (isUsed) return t('selectionUsed');
    if (teamIds.length > 0) return t('toTeamItself', { count: teamIds.length });
    if (ids.length === 0) return t(view === 'teams' ? 'noTeamHint' : 'nobodyHint');
    if (only) return t('pointsUnit', { count: only.total });
    return isFew ? t('selectedCount', { count: ids.length }) : '';
  };
  const number = only && numberOf(only.student);
  return (
    <Box flex={1} miw={0}>
      <Heading lineClamp={1} title={title()}>
        {title()}
      </Heading>
      {/* The student number comes first, because it tells students with the same name apart. */}
      <Hint lineClamp={1}>
        {number && `${number} · `}
        {state()}
      </Hint>
    </Box>
  );
}
