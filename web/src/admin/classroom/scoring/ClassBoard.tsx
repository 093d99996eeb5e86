import { limits } from 'virtual:contract';
import type { Seat, Student, Team, Template } from '@classledger/contract';
import { Alert, Button, Text } from '@mantine/core';
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { IconUsers } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { startTransition, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { StudentNamesContext, useNamesAmong } from '../../../components/student-names.ts';
import { useIsPhone } from '../../../components/use-is-phone.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { announceMoved, announceOpened } from '../../../press-guard/guard-presses.ts';
import { useMe } from '../../me.ts';
import { getScoringQueue } from '../../outbox/get-scoring-queue.ts';
import { sortTemplates } from '../../sort-templates.ts';
import { useTool } from '../../use-tool.ts';
import { useTeamsForTaps } from '../class-teams.ts';
import { cachedRoster, useRoster } from '../roster.ts';
import { TimerPanel } from '../timer/TimerPanel.tsx';
import { useTimer } from '../timer/use-timer.ts';
import { usePicks } from '../use-picks.ts';
import { Announcer } from './Announcer.tsx';
import { ScoringContext, TeamsContext } from './board-context.ts';
import { ChoiceBar } from './ChoiceBar.tsx';
import { GivePanel, templateShortcuts } from './GivePanel.tsx';
import { GiveSheet } from './GiveSheet.tsx';
import { PickDialog } from './PickDialog.tsx';
import classes from './Scoring.module.css';
import { ShortcutsDialog } from './ShortcutsDialog.tsx';
import { focusStudent, StudentArea, type View } from './StudentArea.tsx';
import { StudentPopover } from './StudentPopover.tsx';
import { type Gift, ScoringBoard, withNote } from './scoring-board.ts';
import type { Sort } from './student-order.ts';
import { TeamArea, type TeamTarget, TeamTargetSwitch } from './TeamArea.tsx';
import { Toolbar } from './Toolbar.tsx';
import { texts } from './texts.ts';
import { useAbsentees, useBoardAbsences } from './use-absentees.ts';
import { type Shortcuts, useShortcuts } from './use-shortcuts.ts';
import { useStudentOrder } from './use-student-order.ts';

export type BoardDialog = 'pick' | 'shortcuts' | null;

interface ClassBoardProps {
  readonly schoolDb: string;
  readonly classId: number;
  readonly dialog: BoardDialog;
  readonly onDialog: (dialog: BoardDialog) => void;
}

/** Polls, because other teachers give points, too. */
const refreshMs = 5_000;

const noSeats: readonly Seat[] = [];
const noStudents: readonly Student[] = [];
const noTemplates: readonly Template[] = [];
const noTeams: readonly Team[] = [];

export function ClassBoard(props: ClassBoardProps) {
  const { schoolDb, classId, dialog, onDialog } = props;
  const t = useTexts(texts);
  const me = useMe();
  const client = useQueryClient();
  const format = useFormat();
  const picks = useTool('pick');
  const dayPicks = usePicks(schoolDb, classId);
  const { offered: timers, timer, change: changeTimer } = useTimer();
  const queue = getScoringQueue(client, me.id);
  const { absentees, changes } = useAbsentees(schoolDb, classId);
  const board = useMemo(
    () =>
      new ScoringBoard({
        schoolDb,
        classId,
        queue,
        roster: cachedRoster(client, schoolDb, classId),
        absentees,
        perTapMax: limits.scoresPerRequestMax,
        now: () => performance.now(),
        schedule: (run, delayMs) => void setTimeout(run, delayMs),
      }),
    [client, queue, schoolDb, classId, absentees],
  );
  const scoring = useMemo(() => ({ board, queue, format }), [board, queue, format]);

  const roster = useRoster(schoolDb, classId, refreshMs);
  const seats = useOperation('listSeats', { query: { schoolDb, classId } });
  const loadedTemplates = useOperation('listScoreTemplates', { query: { schoolDb, classId } });
  const keyed = useMemo(() => sortTemplates(loadedTemplates.data ?? noTemplates), [loadedTemplates.data]);
  const templates = {
    list: keyed,
    instead: loadedTemplates.data ? null : loadedTemplates.isPending ? (
      <LoadingRows rows={3} height={46} />
    ) : (
      <Text size="sm" c="dimmed" role="alert">
        {t('templatesFailed')}
      </Text>
    ),
  };

  const wide = useMediaQuery('(min-width: 75.01em)', true, { getInitialValueInEffect: false });
  const phone = useIsPhone();
  const remembered = (what: string) => `classledger.scoring.${what}.${me.id}`;
  const [chosenView, setView] = useLocalStorage<View>({
    key: remembered('view'),
    defaultValue: phone ? 'cards' : 'seats',
    getInitialValueInEffect: false,
  });
  const hasTeams = useTool('teams');
  const view = chosenView === 'teams' && !hasTeams ? 'seats' : chosenView;
  const showsTeams = view === 'teams';
  const [target, setTarget] = useLocalStorage<TeamTarget>({
    key: remembered('team-target'),
    defaultValue: 'team',
    getInitialValueInEffect: false,
  });
  const teams = useTeamsForTaps(schoolDb, classId, { refreshMs, shown: showsTeams, enabled: hasTeams });
  const [sort, setSort] = useLocalStorage<Sort>({
    key: remembered('sort'),
    defaultValue: 'name',
    getInitialValueInEffect: false,
  });
  const [singleKeys, setSingleKeys] = useLocalStorage({
    key: remembered('single-keys'),
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  const [search, setSearch] = useState('');
  const [opened, setOpened] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const area = useRef<HTMLDivElement>(null);
  const searchField = useRef<HTMLInputElement>(null);

  const everybody = roster.data ?? noStudents;
  const names = useNamesAmong(everybody);
  const placed = seats.data ?? noSeats;
  const students = useStudentOrder({
    area,
    roster: everybody,
    updatedAt: roster.dataUpdatedAt,
    seats: placed,
    sort: view === 'seats' ? 'seat' : sort,
    search: showsTeams ? '' : search,
    board,
    queue,
  });
  useLayoutEffect(() => board.setShownIds(students.map(({ id }) => id)), [board, students]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the board reads the roster itself
  useLayoutEffect(() => board.refreshRoster(), [board, roster.data]);
  useBoardAbsences(board, changes);

  const close = useCallback(() => setOpened(null), []);
  // Content above the board moves the cards when it appears and disappears.
  const pushesBoard = useCallback(() => {
    const say = () => {
      if (area.current) announceMoved(area.current);
    };
    say();
    return say;
  }, []);
  const say = (sentence: string) => {
    setSaid('');
    requestAnimationFrame(() => setSaid(sentence));
  };
  const giveChosen = (gift: Gift) => {
    if (!board.hasChoice) say(t(showsTeams ? 'saidChooseTeamFirst' : 'saidChooseFirst'));
    board.give(withNote(gift, board.note));
    close();
  };
  const giveOpened = (gift: Gift) => {
    if (opened !== null) board.give(gift, [opened]);
    close();
  };
  const found = () => {
    const [first] = students;
    if (search.trim() === '' || !first) return;
    if (!board.choice.ids.includes(first.id) || board.choice.spent) board.toggle(first.id);
    setSearch('');
  };
  const focusFirstStudent = () => {
    if (area.current) focusStudent(area.current, students[0]?.id ?? null);
  };
  const alone: Shortcuts = {
    a: () => board.chooseAll(),
    i: () => board.invert(),
    ...(picks && { r: () => onDialog('pick') }),
    ...(timers && { t: () => changeTimer({ ...timer, shown: !timer.shown }) }),
    '/': () => searchField.current?.focus(),
    ...templateShortcuts(templates, giveChosen),
  };
  useShortcuts(
    {
      ...(singleKeys && alone),
      '?': () => onDialog('shortcuts'),
      escape: () => {
        close();
        board.clearChoice();
      },
      arrowdown: focusFirstStudent,
      arrowright: focusFirstStudent,
      'mod+z': () => {
        if (!board.undoNewest()) say(t('saidNothingToUndo'));
      },
    },
    dialog === null,
  );

  const body = () => {
    if (roster.isPending || seats.isPending) return <LoadingRows rows={5} height={72} />;
    if (!roster.data) return <ErrorState error={roster.error} onRetry={() => void roster.refetch()} />;
    if (everybody.length === 0) {
      return (
        <EmptyState
          icon={IconUsers}
          title={t('noStudentsTitle')}
          hint={t('noStudentsHint')}
          action={
            <Button component={Link} to="/students" mt="xs">
              {t('toStudents')}
            </Button>
          }
        />
      );
    }
    if (showsTeams) {
      return (
        <TeamArea
          teams={teams}
          target={target}
          onChoose={(sentence, card) => {
            say(sentence);
            if (!wide && board.hasChoice) scrollAboveSheet(card.closest('ul'), card);
          }}
        />
      );
    }
    if (students.length === 0) {
      return <EmptyState title={t('noMatchTitle')} hint={t('noMatchHint', { search: search.trim() })} />;
    }
    return (
      <StudentArea
        area={area}
        view={view}
        students={students}
        seats={placed}
        everybody={everybody}
        onOpen={(id, byKeyboard) => {
          // A tap opens no popover, which would cover the neighbours. The card shows first that it is selected.
          if (byKeyboard) startTransition(() => setOpened(id));
          else if (!wide)
            scrollAboveSheet(area.current, area.current?.querySelector(`[data-student="${id}"]`));
        }}
        onChoose={(sentence) => {
          close();
          if (sentence) say(sentence);
        }}
      />
    );
  };

  return (
    <StudentNamesContext value={names}>
      <ScoringContext value={scoring}>
        <TeamsContext value={teams.data?.teams ?? noTeams}>
          <div className={classes.layout} data-whole-width="">
            <div>
              <Toolbar
                view={view}
                onView={(next) => {
                  if ((next === 'teams') !== showsTeams) board.clearChoice();
                  setView(next);
                }}
                withTeams={hasTeams}
                sort={sort}
                onSort={setSort}
                search={search}
                onSearch={setSearch}
                searchField={searchField}
                onFound={found}
              >
                {showsTeams ? (
                  <TeamTargetSwitch target={target} onTarget={setTarget} />
                ) : (
                  <ChoiceBar studentCount={everybody.length} />
                )}
              </Toolbar>
              {roster.isError && roster.data && (
                <Alert ref={pushesBoard} color="gray" py="xs" mb="sm">
                  {t('stale')}
                </Alert>
              )}
              <div style={{ position: 'relative' }}>
                {body()}
                {opened !== null && (
                  <StudentPopover
                    key={opened}
                    area={area}
                    id={opened}
                    templates={templates}
                    onGive={giveOpened}
                    onClose={close}
                  />
                )}
              </div>
            </div>
            {wide ? (
              <div className={classes.side}>
                <GivePanel classId={classId} ofTeams={showsTeams} templates={templates} onGive={giveChosen} />
              </div>
            ) : (
              <GiveSheet classId={classId} templates={templates} onGive={giveChosen} />
            )}
          </div>
          <Announcer said={said} />
          {dialog === 'shortcuts' && (
            <ShortcutsDialog
              onClose={() => onDialog(null)}
              singleKeys={singleKeys}
              onSingleKeys={setSingleKeys}
            />
          )}
          <TimerPanel />
          {dialog === 'pick' && (
            <PickDialog
              candidates={candidatesOf(board, everybody)}
              amongChosen={picksAmongChosen(board)}
              picks={dayPicks}
              memoryKey={`classledger.picks.${me.id}.${schoolDb}.${classId}`}
              templates={templates}
              onClose={() => onDialog(null)}
            />
          )}
        </TeamsContext>
      </ScoringContext>
    </StudentNamesContext>
  );
}

function scrollAboveSheet(area: HTMLElement | null, card: Element | null | undefined): void {
  // Waits for the sheet, which makes the page long enough.
  requestAnimationFrame(() => {
    if (area && card && card.getBoundingClientRect().bottom > window.innerHeight * 0.44) {
      // Without smooth scrolling: a finger could hit any card that glides by.
      window.scrollBy(0, card.getBoundingClientRect().bottom - window.innerHeight * 0.42);
      announceOpened(area);
    }
  });
}

function picksAmongChosen({ choice }: ScoringBoard): boolean {
  return choice.ids.length > 1 && !choice.spent;
}

function candidatesOf(board: ScoringBoard, everybody: readonly { id: number }[]): readonly number[] {
  if (picksAmongChosen(board)) return board.choice.ids;
  return everybody.map(({ id }) => id).filter((id) => !board.absent.has(id));
}
