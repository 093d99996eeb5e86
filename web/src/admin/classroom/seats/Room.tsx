import type { Seat } from '@classledger/contract';
import { AutoScroller, Cursor, Feedback, PreventSelection, StyleInjector } from '@dnd-kit/dom';
import { DragDropProvider, type DragEndEvent, DragOverlay, PointerSensor } from '@dnd-kit/react';
import { Button, Group, Text } from '@mantine/core';
import { useCallbackRef } from '@mantine/hooks';
import { type CSSProperties, type KeyboardEvent, useRef, useState } from 'react';
import { useStudentNames } from '../../../components/student-names.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { styleNonce } from '../../../theme/nonce.ts';
import { type ArrowKey, neighbourOf, type PlacedGroup, type RoomSide } from './room.ts';
import { SeatButton } from './SeatButton.tsx';
import classes from './Seats.module.css';
import {
  isSameTarget,
  moveBetween,
  type Person,
  type SeatMove,
  type SeatTarget,
  studentOnSeat,
} from './seat-moves.ts';
import { texts } from './texts.ts';
import { UnseatedStudents } from './UnseatedStudents.tsx';

interface RoomProps {
  readonly room: readonly PlacedGroup[];
  readonly seats: readonly Seat[];
  readonly side: RoomSide;
  readonly unseated: readonly Person[];
  readonly onMove: (move: SeatMove) => void;
}

// Without the library's keyboard sensor, which moves by pixels: here, arrow keys move from seat to seat.
const sensors = [PointerSensor];
const plugins = [
  AutoScroller,
  Cursor,
  Feedback,
  PreventSelection,
  StyleInjector.configure({ nonce: styleNonce }),
];

export function Room({ room, seats, side, unseated, onMove }: RoomProps) {
  const t = useTexts(texts);
  const { textOf } = useStudentNames();
  const [picked, setPicked] = useState<SeatTarget | null>(null);
  const [tabStop, setTabStop] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  const area = useRef<HTMLDivElement>(null);
  const across = room.reduce((sum, { cols }) => sum + cols, 0);
  const firstSeat = room[0]?.seats[0]?.seat.id ?? null;
  const stop = seats.some(({ id }) => id === tabStop) ? tabStop : firstSeat;

  const put = (from: SeatTarget, to: SeatTarget): boolean => {
    const move = moveBetween(from, to, seats);
    if (!move) return false;
    onMove(move);
    setPicked(null);
    setSaid(sentenceOf(move));
    return true;
  };
  const nameOf = (person: Person | null | undefined) => (person ? textOf(person) : '');
  const sentenceOf = (move: SeatMove): string => {
    const target = seats.find(({ id }) => id === move.seatId);
    const before = nameOf(target && studentOnSeat(target));
    if (!target || move.userId === null) return t('nowUnseated', { name: before });
    const old = seats.find(({ userId }) => userId === move.userId);
    const name = nameOf((old && studentOnSeat(old)) ?? unseated.find(({ id }) => id === move.userId));
    if (old && target.userId !== null) return t('nowSwapped', { name, other: before });
    return t('nowAt', { name, group: target.groupIndex, row: target.row, col: target.col });
  };
  const choose = (place: SeatTarget) => {
    if (picked && isSameTarget(picked, place)) {
      setPicked(null);
      setSaid(t('putBack'));
    } else if (!picked || !put(picked, place)) setPicked(place);
  };
  // Always the same function, so that only changed seats render again.
  const onChoose = useCallbackRef(choose);
  const onDragEnd = ({ canceled, operation: { source, target } }: DragEndEvent) => {
    const from = source?.data.place as SeatTarget | undefined;
    const to = target?.data.place as SeatTarget | undefined;
    if (!canceled && from && to) put(from, to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && picked) {
      setPicked(null);
      setSaid(t('putBack'));
    }
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-seat]') : null;
    if (!button) return;
    const seatId = Number(button.dataset.seat);
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      put({ kind: 'seat', seatId }, { kind: 'unseated' });
    } else if (event.key.startsWith('Arrow')) {
      event.preventDefault();
      const next = neighbourOf(room, seatId, event.key as ArrowKey);
      area.current?.querySelector<HTMLElement>(`[data-seat="${next}"]`)?.focus();
    }
  };
  const desk = <div className={classes.desk}>{t('desk')}</div>;
  return (
    <DragDropProvider
      sensors={sensors}
      plugins={plugins}
      onDragStart={() => setPicked(null)}
      onDragEnd={onDragEnd}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys and presses act on the buttons inside */}
      <div ref={area} onKeyDown={onKeyDown}>
        <Text size="sm" c="dimmed" mb="md">
          {t('help')}{' '}
          <Text span inherit visibleFrom="sm">
            {t('helpKeys')}
          </Text>
        </Text>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a layout of its own */}
        <div className={classes.scroll} role="group" aria-label={t('room')}>
          <div className={classes.frame} style={{ '--across': across } as CSSProperties}>
            {side === 'class' && desk}
            <div className={classes.room}>
              {room.map((group) => (
                <div
                  key={group.index}
                  className={classes.group}
                  style={{ '--cols': group.cols } as CSSProperties}
                >
                  <div className={classes.groupName}>{t('group', { number: group.index })}</div>
                  <div className={classes.seats}>
                    {group.seats.map(({ seat, row, col }) => (
                      <SeatButton
                        key={seat.id}
                        seat={seat}
                        row={row}
                        col={col}
                        picked={picked?.kind === 'seat' && picked.seatId === seat.id}
                        tabbable={seat.id === stop}
                        onFocus={setTabStop}
                        onChoose={onChoose}
                      />
                    ))}
                  </div>
                </div>
              ))}
            </div>
            {side === 'teacher' && desk}
          </div>
        </div>
        <UnseatedStudents people={unseated} picked={picked} onChoose={onChoose} />
        <SelectedSeatBar
          picked={picked}
          seats={seats}
          unseated={unseated}
          onFree={() => picked && put(picked, { kind: 'unseated' })}
          onCancel={() => setPicked(null)}
        />
      </div>
      <div className="visually-hidden" role="status">
        {said}
      </div>
      <DragOverlay dropAnimation={null}>
        {(source) => <div className={classes.dragged}>{String(source.data.name)}</div>}
      </DragOverlay>
    </DragDropProvider>
  );
}

interface SelectedSeatBarProps {
  readonly picked: SeatTarget | null;
  readonly seats: readonly Seat[];
  readonly unseated: readonly Person[];
  readonly onFree: () => void;
  readonly onCancel: () => void;
}

function SelectedSeatBar({ picked, seats, unseated, onFree, onCancel }: SelectedSeatBarProps) {
  const t = useTexts(texts);
  const seat = picked?.kind === 'seat' ? seats.find(({ id }) => id === picked.seatId) : undefined;
  const person = picked?.kind === 'student' ? unseated.find(({ id }) => id === picked.userId) : undefined;
  const { textOf } = useStudentNames();
  const who = (seat && studentOnSeat(seat)) ?? person;
  const name = who ? textOf(who) : null;
  return (
    <div className={classes.picked} data-shown={picked !== null || undefined}>
      <Text size="sm" role="status" flex={1} miw={180}>
        {picked === null ? '' : name === null ? t('pickedSeat') : t('pickedStudent', { name })}
      </Text>
      {picked && (
        <Group gap="xs">
          {seat && name !== null && (
            <Button size="sm" variant="light" onClick={onFree}>
              {t('freeSeat')}
            </Button>
          )}
          <Button size="sm" variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
        </Group>
      )}
    </div>
  );
}
