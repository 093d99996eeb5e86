import { type KeyboardEvent, memo, useRef, useState, useSyncExternalStore } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './Board.module.css';
import { useScoring } from './board-context.ts';
import { directionOf, nextInDirection } from './geometry.ts';
import { type PlacedGroup, type SeatLine, seatLines } from './seat-lines.ts';
import { texts } from './texts.ts';

interface SeatLabelsProps {
  readonly groups: readonly PlacedGroup[];
  readonly here: ReadonlySet<number>;
}

export const SeatLabels = memo(function SeatLabels({ groups, here }: SeatLabelsProps) {
  const t = useTexts(texts);
  const labels = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState(0);
  const lines = seatLines(groups, here);
  const first = Math.min(stop, lines.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = directionOf(event.key);
    if (!direction || !labels.current) return;
    event.preventDefault();
    const all = [...labels.current.querySelectorAll('button')];
    const placed = all.map((label, id) => ({ id, box: label.getBoundingClientRect() }));
    const next = nextInDirection(placed, first, direction);
    if (next !== null) all[next]?.focus();
  };
  return (
    <div
      ref={labels}
      role="toolbar"
      className={classes.group}
      aria-label={t('seatLabels')}
      onKeyDown={onKeyDown}
    >
      {lines.map((line, index) => (
        <Label
          key={`${line.kind} ${line.number}`}
          line={line}
          isStop={index === first}
          onFocus={() => setStop(index)}
        />
      ))}
    </div>
  );
});

interface LabelProps {
  readonly line: SeatLine;
  readonly isStop: boolean;
  readonly onFocus: () => void;
}

function Label({ line: { kind, number, studentIds, gridRow, gridColumn }, isStop, onFocus }: LabelProps) {
  const t = useTexts(texts);
  const { board } = useScoring();
  const areSelected = useSyncExternalStore(board.subscribe, () => board.areSelected(studentIds));
  return (
    <button
      type="button"
      className={`mantine-focus-auto ${classes.label}`}
      data-kind={kind}
      data-line={studentIds.join()}
      aria-label={t(kind, { number })}
      aria-pressed={areSelected}
      tabIndex={isStop ? 0 : -1}
      onFocus={onFocus}
      style={{ gridRow, gridColumn }}
    >
      {kind === 'group' ? t('group', { number }) : number}
    </button>
  );
}

/** Returns the students of the tapped label of a row, column or group; null if the tap hit no label. */
export function studentsOfLabelAt(target: EventTarget): readonly number[] | null {
  const label = target instanceof Element ? target.closest<HTMLElement>('[data-line]') : null;
  return label ? (label.dataset.line ?? '').split(',').filter(Boolean).map(Number) : null;
}
