import type { Seat, Student } from '@classledger/contract';
import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useRef } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { focusNearest } from '../geometry.ts';
import classes from './Board.module.css';
import { useScoring } from './board-context.ts';
import { SeatRoom, studentsOfLabelAt } from './SeatRoom.tsx';
import { StudentCards } from './StudentCard.tsx';
import { texts } from './texts.ts';
import type { BoardView } from './use-board-settings.ts';
import { cardsIn, useDragSelection } from './use-drag-selection.ts';

interface StudentAreaProps {
  readonly area: RefObject<HTMLDivElement | null>;
  readonly view: BoardView;
  readonly students: readonly Student[];
  readonly seats: readonly Seat[];
  readonly everybody: readonly Student[];
  /** Called when a press selects only this student. */
  readonly onSelect: (card: HTMLElement, byKeyboard: boolean) => void;
}

export function StudentArea(props: StudentAreaProps) {
  const { area, view, students, seats, everybody, onSelect } = props;
  const t = useTexts(texts);
  const { board, announce } = useScoring();
  const rectangle = useRef<HTMLDivElement>(null);
  const endsDrag = useDragSelection(area, rectangle, board);

  // Tab reaches one card, the arrow keys the others.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the cards on the page change
  useEffect(() => {
    const cards = area.current ? cardsIn(area.current) : [];
    if (cards[0] && cards.every(({ tabIndex }) => tabIndex !== 0)) cards[0].tabIndex = 0;
  }, [area, view, students]);

  const onClick = (event: MouseEvent) => {
    if (endsDrag()) return;
    const card = cardAt(event.target);
    if (!card) {
      const line = studentsOfLabelAt(event.target);
      if (line) {
        board.toggleAll(line);
        announce(t('selectedCount', { count: board.selection.ids.length }));
      } else if (event.target === event.currentTarget) board.clearSelection();
      return;
    }
    const id = idOf(card);
    const { ids, isUsed } = board.selection;
    const others = !isUsed && ids.some((one) => one !== id);
    if (event.shiftKey) board.selectRangeTo(id);
    else if (event.ctrlKey || event.metaKey || others) board.toggle(id);
    else if (!isUsed && ids.includes(id)) board.clearSelection();
    else {
      board.select([id]);
      onSelect(card, event.detail === 0);
    }
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const card = cardAt(event.target);
    if (!card) return;
    if (event.key === ' ') {
      event.preventDefault();
      board.toggle(idOf(card));
    }
    focusNearest(event, cardsIn(event.currentTarget), card);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a layout of its own
    <div
      ref={area}
      role="group"
      className={classes.area}
      aria-label={t('students')}
      data-cards
      onClick={onClick}
      onKeyDown={onKeyDown}
      onKeyUp={(event) => {
        // Firefox would click when the space bar is released.
        if (event.key === ' ' && cardAt(event.target)) event.preventDefault();
      }}
      onFocus={({ target, currentTarget }) => moveTabStop(currentTarget, target)}
    >
      {view === 'seats' ? (
        <SeatRoom seats={seats} students={students} everybody={everybody} />
      ) : (
        <StudentCards students={students} look={view === 'cards' ? 'card' : 'row'} />
      )}
      <div ref={rectangle} className={classes.rectangle} hidden />
    </div>
  );
}

export function focusStudent(id: number | null | undefined): void {
  document.querySelector<HTMLElement>(`[data-student="${id}"]`)?.focus();
}

function cardAt(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-student]') : null;
}

const idOf = (card: HTMLElement) => Number(card.dataset.student);

function moveTabStop(area: HTMLElement, target: EventTarget): void {
  if (!(target instanceof HTMLElement) || target.dataset.student === undefined) return;
  for (const card of cardsIn(area)) card.tabIndex = -1;
  target.tabIndex = 0;
}
