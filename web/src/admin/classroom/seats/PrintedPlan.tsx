import type { ClassSummary, Seat } from '@classledger/contract';
import type { CSSProperties } from 'react';
import { createPortal } from 'react-dom';
import { useStudentNames } from '../../../components/student-names.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './PrintedPlan.module.css';
import { printedPlanSize } from './printed-plan-size.ts';
import type { PlacedGroup, RoomSide } from './room.ts';
import { studentOnSeat } from './seat-moves.ts';
import { texts } from './texts.ts';

interface PrintedPlanProps {
  readonly of: ClassSummary;
  readonly room: readonly PlacedGroup[];
  readonly side: RoomSide;
}

export function PrintedPlan({ of, room, side }: PrintedPlanProps) {
  const t = useTexts(texts);
  const format = useFormat();
  const { numberOf } = useStudentNames();
  const sitting = room.flatMap((group) => group.seats.flatMap(({ seat }) => studentOnSeat(seat) ?? []));
  const names = sitting.map(({ actualName }) => actualName);
  const numbers = sitting.flatMap((seatedStudent) => numberOf(seatedStudent) ?? []);
  const size = printedPlanSize(names, numbers, {
    across: room.reduce((sum, { cols }) => sum + cols, 0),
    aisles: room.length - 1,
    deep: room.reduce((most, { rows }) => Math.max(most, rows), 1),
  });
  const desk = <div className={classes.desk}>{t('desk')}</div>;
  return createPortal(
    <div
      className={classes.plan}
      data-seat-plan=""
      aria-hidden
      data-rotated={size.turned || undefined}
      style={
        {
          '--name': `${size.name}mm`,
          '--gap': `${size.gap}mm`,
          '--aisle': `${size.aisle}mm`,
        } as CSSProperties
      }
    >
      <header className={classes.head}>
        <strong>
          {of.gradeName} {of.name} · {t('planTitle')}
        </strong>
        <span>{format.today()}</span>
      </header>
      {side === 'class' && desk}
      <div className={classes.room}>
        {room.map((group) => (
          <div
            key={group.index}
            className={classes.group}
            style={{ '--cols': group.cols, '--rows': group.rows } as CSSProperties}
          >
            {group.seats.map(({ seat, row, col }) => (
              <div
                key={seat.id}
                className={classes.seat}
                data-free={seat.userId === null || undefined}
                style={{ gridRow: row, gridColumn: col }}
              >
                <SeatedStudent seat={seat} />
              </div>
            ))}
          </div>
        ))}
      </div>
      {side === 'teacher' && desk}
    </div>,
    document.body,
  );
}

function SeatedStudent({ seat }: { readonly seat: Seat }) {
  const { numberOf } = useStudentNames();
  const seatedStudent = studentOnSeat(seat);
  const number = seatedStudent && numberOf(seatedStudent);
  return (
    <span>
      {seatedStudent?.actualName}
      {number && <small className={classes.number}>{number}</small>}
    </span>
  );
}
