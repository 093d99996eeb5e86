import { limits } from 'virtual:contract';
import type { Seat, Template } from '@classledger/contract';
import { Alert, Button, Text } from '@mantine/core';
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { IconUsers } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { StudentNamesContext, useNamesAmong } from '../../../components/student-names.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { sayMoved, sayOpened } from '../../../steady-place/guard-places.ts';
import { useMe } from '../../me.ts';
import { queueOfAdmin } from '../../taps/queue-of-admin.ts';
import { rosterKey, useRoster } from '../roster.ts';
import { Announcer } from './Announcer.tsx';
import { ScoringContext } from './board-context.ts';
import { ChoiceBar } from './ChoiceBar.tsx';
import { dayAbsentees } from './day-absentees.ts';
import { GivePanel, inKeyOrder, keysOf } from './GivePanel.tsx';
import { GiveSheet } from './GiveSheet.tsx';
import { PickDialog } from './PickDialog.tsx';
import classes from './Scoring.module.css';
import { ShortcutsDialog } from './ShortcutsDialog.tsx';
import { focusStudent, StudentArea, type View } from './StudentArea.tsx';
import { StudentPopover } from './StudentPopover.tsx';
import { type Gift, ScoringBoard } from './scoring-board.ts';
import type { Sort } from './student-order.ts';
import { Toolbar } from './Toolbar.tsx';
import { texts } from './texts.ts';
import { useOrder } from './use-order.ts';
import { type Shortcuts, useShortcuts } from './use-shortcuts.ts';

export type BoardDialog = 'pick' | 'shortcuts' | null;

interface ClassBoardProps {
  readonly schoolDb: string;
  readonly classId: number;
  readonly dialog: BoardDialog;
  readonly onDialog: (dialog: BoardDialog) => void;
}

/** Other teachers give points, too. */
const refreshMs = 5_000;

const noSeats: readonly Seat[] = [];
const noTemplates: readonly Template[] = [];

/** One class to give points to. */
export function ClassBoard({ schoolDb, classId, dialog, onDialog }: ClassBoardProps) {
  const t = useTexts(texts);
  const me = useMe();
  const client = useQueryClient();
  const format = useFormat();
  const queue = queueOfAdmin(client, me.id);
  const board = useMemo(
    () =>
      new ScoringBoard({
        schoolDb,
        classId,
        queue,
        roster: () => client.getQueryData(rosterKey(schoolDb, classId)),
        absentees: dayAbsentees({ adminId: me.id, schoolDb, classId }, localStorage),
        perTapMax: limits.scoresPerRequestMax,
        now: () => performance.now(),
        later: (run, delayMs) => void setTimeout(run, delayMs),
      }),
    [client, queue, me.id, schoolDb, classId],
  );
  const scoring = useMemo(() => ({ board, queue, format }), [board, queue, format]);

  const roster = useRoster(schoolDb, classId, refreshMs);
  const seats = useOperation('listSeats', { query: { schoolDb, classId } });
  const loadedTemplates = useOperation('listScoreTemplates', { query: { schoolDb, classId } });
  const keyed = useMemo(() => inKeyOrder(loadedTemplates.data ?? noTemplates), [loadedTemplates.data]);
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
  const phone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const remembered = (what: string) => `classledger.scoring.${what}.${me.id}`;
  const [view, setView] = useLocalStorage<View>({
    key: remembered('view'),
    defaultValue: phone ? 'cards' : 'seats',
    getInitialValueInEffect: false,
  });
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
  const [several, setSeveral] = useState(false);
  const [search, setSearch] = useState('');
  const [opened, setOpened] = useState<{ id: number; byKeyboard: boolean } | null>(null);
  const [said, setSaid] = useState('');
  const area = useRef<HTMLDivElement>(null);
  const searchField = useRef<HTMLInputElement>(null);

  const everybody = roster.data ?? [];
  const names = useNamesAmong(everybody);
  const placed = seats.data ?? noSeats;
  const students = useOrder({
    area,
    roster: everybody,
    updatedAt: roster.dataUpdatedAt,
    seats: placed,
    sort: view === 'seats' ? 'seat' : sort,
    search,
    board,
    queue,
  });
  useLayoutEffect(() => board.show(students.map(({ id }) => id)), [board, students]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the board reads the roster itself
  useLayoutEffect(() => board.rosterChanged(), [board, roster.data]);
  useEffect(() => {
    const onShown = () => board.beginDay();
    document.addEventListener('visibilitychange', onShown);
    return () => document.removeEventListener('visibilitychange', onShown);
  }, [board]);

  const close = useCallback(() => setOpened(null), []);
  // What stands above the board moves it when it comes and when it goes.
  const pushesBoard = useCallback(() => {
    const say = () => {
      if (area.current) sayMoved(area.current);
    };
    say();
    return say;
  }, []);
  const say = (sentence: string) => {
    setSaid('');
    requestAnimationFrame(() => setSaid(sentence));
  };
  const giveChosen = (gift: Gift) => {
    if (board.choice.ids.length === 0) say(t('saidChooseFirst'));
    board.give(gift);
    close();
  };
  const giveOpened = (gift: Gift) => {
    if (opened) board.give(gift, [opened.id]);
    close();
  };
  const found = () => {
    const [first] = students;
    if (search.trim() === '' || !first) return;
    if (!board.choice.ids.includes(first.id) || board.choice.spent) board.toggle(first.id);
    setSearch('');
  };
  const enterStudents = () => {
    if (area.current) focusStudent(area.current, students[0]?.id ?? null);
  };
  const alone: Shortcuts = {
    a: () => board.chooseAll(),
    i: () => board.invert(),
    r: () => onDialog('pick'),
    '/': () => searchField.current?.focus(),
    ...keysOf(templates, giveChosen),
  };
  useShortcuts(
    {
      ...(singleKeys && alone),
      '?': () => onDialog('shortcuts'),
      escape: () => {
        close();
        board.chooseNobody();
      },
      arrowdown: enterStudents,
      arrowright: enterStudents,
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
        several={several}
        onOpen={(id, byKeyboard) => {
          if (wide || byKeyboard) setOpened({ id, byKeyboard });
          else keepAboveSheet(area.current, id);
        }}
        onChoose={close}
      />
    );
  };

  return (
    <StudentNamesContext value={names}>
      <ScoringContext value={scoring}>
        <div className={classes.layout} data-whole-width="">
          <div>
            <Toolbar
              view={view}
              onView={setView}
              sort={sort}
              onSort={setSort}
              search={search}
              onSearch={setSearch}
              searchField={searchField}
              onFound={found}
            >
              <ChoiceBar
                studentCount={everybody.length}
                several={several}
                onSeveral={wide ? setSeveral : null}
              />
            </Toolbar>
            {roster.isError && roster.data && (
              <Alert ref={pushesBoard} color="gray" py="xs" mb="sm">
                {t('stale')}
              </Alert>
            )}
            <div style={{ position: 'relative' }}>
              {body()}
              {opened && (
                <StudentPopover
                  key={opened.id}
                  area={area}
                  id={opened.id}
                  byKeyboard={opened.byKeyboard}
                  templates={templates}
                  onGive={giveOpened}
                  onClose={close}
                />
              )}
            </div>
          </div>
          {wide ? (
            <div className={classes.side}>
              <GivePanel classId={classId} templates={templates} onGive={giveChosen} />
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
        {dialog === 'pick' && (
          <PickDialog
            candidates={candidatesOf(board, everybody)}
            amongChosen={isAmongChosen(board)}
            memoryKey={`classledger.picks.${me.id}.${schoolDb}.${classId}`}
            templates={templates}
            onClose={() => onDialog(null)}
          />
        )}
      </ScoringContext>
    </StudentNamesContext>
  );
}

/** Where the templates come from below, whoever was tapped stays in sight. */
function keepAboveSheet(area: HTMLElement | null, id: number): void {
  const card = area?.querySelector(`[data-student="${id}"]`);
  // The sheet has to be there first, for the page to be long enough.
  requestAnimationFrame(() => {
    if (area && card && card.getBoundingClientRect().bottom > window.innerHeight * 0.48) {
      // At once: of cards that glide by no one knows which one a finger will hit.
      window.scrollBy(0, card.getBoundingClientRect().bottom - window.innerHeight * 0.45);
      sayOpened(area);
    }
  });
}

/** Two or more who are chosen make a pick among them. */
function isAmongChosen({ choice }: ScoringBoard): boolean {
  return choice.ids.length > 1 && !choice.spent;
}

function candidatesOf(board: ScoringBoard, everybody: readonly { id: number }[]): readonly number[] {
  if (isAmongChosen(board)) return board.choice.ids;
  return everybody.map(({ id }) => id).filter((id) => !board.absent.has(id));
}
