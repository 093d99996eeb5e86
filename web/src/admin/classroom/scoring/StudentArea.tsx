import type { Seat, Student } from '@classledger/contract';
import { Anchor, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type RefObject,
  useEffect,
  useRef,
} from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './Board.module.css';
import { useScoring } from './board-context.ts';
import { cardGrid, type Direction, nextInDirection } from './geometry.ts';
import { SeatLabels, studentsOfLabelAt } from './SeatLabels.tsx';
import { type CardVariant, StudentCard } from './StudentCard.tsx';
import { labelLinesOf, placedGroups, tracksOf } from './seat-lines.ts';
import { texts } from './texts.ts';
import { cardBoxesIn, useDragChoice } from './use-drag-choice.ts';

export type View = 'seats' | 'cards' | 'list' | 'teams';

interface StudentAreaProps {
  readonly area: RefObject<HTMLDivElement | null>;
  readonly view: View;
  readonly students: readonly Student[];
  readonly seats: readonly Seat[];
  /** The whole class: the room keeps its shape during a search. */
  readonly everybody: readonly Student[];
  readonly onOpen: (id: number, byKeyboard: boolean) => void;
  readonly onChoose: (said?: string) => void;
}

const arrows: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

export function StudentArea(props: StudentAreaProps) {
  const { area, view, students, seats, everybody, onOpen, onChoose } = props;
  const t = useTexts(texts);
  const { board } = useScoring();
  const rectangle = useRef<HTMLDivElement>(null);
  const endsDrag = useDragChoice(area, rectangle, board);

  // Tab reaches one card, the arrow keys the others.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cards on the page depend on these
  useEffect(() => {
    const cards = area.current?.querySelectorAll<HTMLElement>('[data-student]') ?? [];
    if (![...cards].some(({ tabIndex }) => tabIndex === 0) && cards[0]) cards[0].tabIndex = 0;
  }, [area, view, students]);

  const onClick = (event: MouseEvent) => {
    if (endsDrag()) return;
    const id = studentAt(event.target);
    if (id === null) {
      const line = studentsOfLabelAt(event.target);
      if (line) {
        board.toggleAll(line);
        return onChoose(t('chosenCount', { count: board.choice.ids.length }));
      }
      if (event.target === event.currentTarget) board.clearChoice();
      return onChoose();
    }
    const { ids, spent } = board.choice;
    const others = !spent && ids.some((one) => one !== id);
    if (event.shiftKey) board.chooseTo(id);
    else if (event.ctrlKey || event.metaKey || others) board.toggle(id);
    else if (!spent && ids.includes(id)) board.clearChoice();
    else {
      board.choose([id]);
      return onOpen(id, event.detail === 0);
    }
    onChoose();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const id = studentAt(event.target);
    if (id === null) return;
    if (event.key === ' ') {
      event.preventDefault();
      board.toggle(id);
      onChoose();
    }
    const direction = arrows[event.key];
    if (direction && area.current) {
      event.preventDefault();
      focusStudent(area.current, nextInDirection(cardBoxesIn(area.current), id, direction));
    }
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw itself and has no dragging
    <div
      ref={area}
      role="group"
      className={classes.area}
      aria-label={t('students')}
      onClick={onClick}
      onKeyDown={onKeyDown}
      onKeyUp={(event) => {
        // Firefox clicks when the space bar is released.
        if (event.key === ' ' && studentAt(event.target) !== null) event.preventDefault();
      }}
      onFocus={({ target, currentTarget }) => moveTabStop(currentTarget, target)}
    >
      {view === 'seats' ? (
        <SeatRoom seats={seats} students={students} everybody={everybody} />
      ) : (
        <Cards students={students} look={view === 'cards' ? 'card' : 'row'} />
      )}
      <div ref={rectangle} className={classes.rectangle} hidden />
    </div>
  );
}

export function focusStudent(area: HTMLElement, id: number | null): void {
  if (id === null) return;
  area.querySelector<HTMLElement>(`[data-student="${id}"]`)?.focus();
}

function studentAt(target: EventTarget): number | null {
  const card = target instanceof Element ? target.closest<HTMLElement>('[data-student]') : null;
  return card ? Number(card.dataset.student) : null;
}

function moveTabStop(area: HTMLElement, target: EventTarget): void {
  if (!(target instanceof HTMLElement) || target.dataset.student === undefined) return;
  for (const card of area.querySelectorAll<HTMLElement>('[data-student]')) card.tabIndex = -1;
  target.tabIndex = 0;
}

const Cards = memo(function Cards({
  students,
  look,
}: {
  readonly students: readonly Student[];
  readonly look: CardVariant;
}) {
  return (
    <div className={look === 'row' ? classes.rows : classes.cards} style={gridStyle(students.length)}>
      {students.map(({ id }) => (
        <StudentCard key={id} id={id} look={look} />
      ))}
    </div>
  );
});

function gridStyle(count: number): CSSProperties {
  const { rows, columns } = cardGrid(count);
  return {
    '--rows': rows,
    '--columns': columns,
    '--half': Math.ceil(count / 2),
    '--third': Math.ceil(count / 3),
  } as CSSProperties;
}

interface SeatRoomProps {
  readonly seats: readonly Seat[];
  readonly students: readonly Student[];
  readonly everybody: readonly Student[];
}

const SeatRoom = memo(function SeatRoom({ seats, students, everybody }: SeatRoomProps) {
  const t = useTexts(texts);
  const meant = new Set(students.map(({ id }) => id));
  const here = new Set(everybody.map(({ id }) => id));
  const seated = new Set(seats.map(({ userId }) => userId));
  const groups = placedGroups(seats);
  const labelLines = labelLinesOf(groups);
  const unseated = students.filter(({ id }) => !seated.has(id));
  if (seats.length === 0) {
    return (
      <>
        <Text c="dimmed" size="sm" mb="sm">
          {t('noSeats')}{' '}
          <Anchor component={Link} to="/seats" size="sm" underline="always">
            {t('toSeats')}
          </Anchor>
        </Text>
        <Cards students={students} look="card" />
      </>
    );
  }
  return (
    <>
      <div className={classes.front}>{t('front')}</div>
      <div className={classes.roomScroll}>
        <div
          className={classes.room}
          style={
            {
              '--seats-across': groups.reduce((sum, { cols }) => sum + cols, 0),
              '--groups': groups.length,
              '--seats-deep': seats.reduce((deepest, { row }) => Math.max(deepest, row), 1),
              '--label-lines': labelLines,
              gridTemplateColumns: tracksOf(groups),
            } as CSSProperties
          }
        >
          <SeatLabels groups={groups} here={here} />
          {groups.map((group) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset draws itself
            <div
              key={group.index}
              role="group"
              className={classes.group}
              aria-label={t('group', { number: group.index })}
            >
              {group.seats.map((seat) => {
                const { id, userId } = seat;
                const place = { gridRow: seat.row + labelLines, gridColumn: group.firstTrack + seat.col - 1 };
                return userId !== null && here.has(userId) ? (
                  <div key={id} style={{ ...place, display: 'grid' }}>
                    <StudentCard key={userId} id={userId} look="seat" faded={!meant.has(userId)} />
                  </div>
                ) : (
                  <div key={id} className={classes.emptySeat} style={place} />
                );
              })}
            </div>
          ))}
        </div>
      </div>
      {unseated.length > 0 && (
        <div className={classes.unseated}>
          <Title order={2} size="h3" mb="xs">
            {t('unseated')}
          </Title>
          <Cards students={unseated} look="card" />
        </div>
      )}
    </>
  );
});
