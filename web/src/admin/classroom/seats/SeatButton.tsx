import type { Seat } from '@classledger/contract';
import { useDraggable, useDroppable } from '@dnd-kit/react';
import { memo, useCallback } from 'react';
import { useStudentNames } from '../../../components/student-names.ts';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './Seats.module.css';
import { type SeatTarget, studentOnSeat } from './seat-moves.ts';
import { texts } from './texts.ts';

interface SeatButtonProps {
  readonly seat: Seat;
  readonly row: number;
  readonly col: number;
  readonly picked: boolean;
  readonly tabbable: boolean;
  readonly onFocus: (seatId: number) => void;
  readonly onChoose: (place: SeatTarget) => void;
}

export const SeatButton = memo(function SeatButton(props: SeatButtonProps) {
  const { seat, row, col, picked, tabbable, onFocus, onChoose } = props;
  const t = useTexts(texts);
  const place: SeatTarget = { kind: 'seat', seatId: seat.id };
  const { textOf, numberOf } = useStudentNames();
  const seatedStudent = studentOnSeat(seat);
  const name = seatedStudent ? textOf(seatedStudent) : '';
  const number = seatedStudent && numberOf(seatedStudent);
  const where = { group: seat.groupIndex, row: seat.row, col: seat.col };
  const id = `seat-${seat.id}`;
  const draggable = useDraggable({ id, disabled: !seatedStudent, data: { place, name } });
  const droppable = useDroppable({ id, data: { place } });
  const { ref: dragRef } = draggable;
  const { ref: dropRef } = droppable;
  const ref = useCallback(
    (element: Element | null) => {
      dragRef(element);
      dropRef(element);
    },
    [dragRef, dropRef],
  );
  return (
    <button
      ref={ref}
      type="button"
      className={classes.seat}
      style={{ gridRow: row, gridColumn: col }}
      data-seat={seat.id}
      data-taken={seatedStudent !== null || undefined}
      data-picked={picked || undefined}
      data-source={draggable.isDragSource || undefined}
      data-target={(droppable.isDropTarget && !draggable.isDragSource) || undefined}
      tabIndex={tabbable ? 0 : -1}
      aria-pressed={picked}
      aria-label={seatedStudent ? t('seatOf', { name, ...where }) : t('seatFree', where)}
      onFocus={() => onFocus(seat.id)}
      onClick={() => onChoose(place)}
    >
      {seatedStudent ? (
        <>
          <span className={classes.name} data-numbered={number !== null || undefined}>
            {seatedStudent.actualName}
          </span>
          {number !== null && <span className={classes.number}>{number}</span>}
        </>
      ) : (
        <span>{t('freeShort')}</span>
      )}
    </button>
  );
});
