import { type KeyboardEvent, memo, useRef, useState, useSyncExternalStore } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './Board.module.css';
import { useScoring } from './board-context.ts';
import { directionOf, nearestInDirection } from './geometry.ts';
import { type PlacedGroup, type SeatLabel, seatLabels } from './seat-labels.ts';
import { texts } from './texts.ts';

interface SeatLabelsProps {
  readonly groups: readonly PlacedGroup[];
  readonly presentIds: ReadonlySet<number>;
}

export const SeatLabels = memo(function SeatLabels({ groups, presentIds }: SeatLabelsProps) {
  const t = useTexts(texts);
  const labels = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState(0);
  const lines = seatLabels(groups, presentIds);
  const first = Math.min(stop, lines.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = directionOf(event.key);
    if (!direction || !labels.current) return;
    event.preventDefault();
    const all = [...labels.current.querySelectorAll('button')];
    const placed = all.map((label, id) => ({ id, box: label.getBoundingClientRect() }));
    const next = nearestInDirection(placed, first, direction);
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
          isTabStop={index === first}
          onFocus={() => setStop(index)}
        />
      ))}
    </div>
  );
});

interface LabelProps {
  readonly line: SeatLabel;
  readonly isTabStop: boolean;
  readonly onFocus: () => void;
}

function Label({ line: { kind, number, studentIds, gridRow, gridColumn }, isTabStop, onFocus }: LabelProps) {
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
      tabIndex={isTabStop ? 0 : -1}
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
