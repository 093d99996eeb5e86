import type { Seat } from '@classledger/contract';
import { AutoScroller, Cursor, Feedback, PreventSelection, StyleInjector } from '@dnd-kit/dom';
import { DragDropProvider, type DragEndEvent, DragOverlay, PointerSensor } from '@dnd-kit/react';
import { Button, Center, Group, Text } from '@mantine/core';
import { useCallbackRef } from '@mantine/hooks';
import { type KeyboardEvent, useState } from 'react';
import { useStudentNames } from '../../../components/student-names.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { styleNonce } from '../../../theme/nonce.ts';
import { focusNearest } from '../geometry.ts';
import { StickyBar } from '../parts.tsx';
import { SeatButton, UnseatedStudents } from './Places.tsx';
import { RoomFrame } from './RoomFrame.tsx';
import {
  isSameTarget,
  moveBetween,
  type Person,
  type PlacedGroup,
  type RoomSide,
  type SeatMove,
  type SeatTarget,
  studentOnSeat,
} from './room.ts';
import { texts } from './texts.ts';

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
  const nameAt = (place: SeatTarget | null): string => {
    const person =
      place?.kind === 'student'
        ? unseated.find(({ id }) => id === place.userId)
        : studentOnSeat(seats.find(({ id }) => place?.kind === 'seat' && id === place.seatId));
    return person ? textOf(person) : '';
  };
  const sentenceOf = ({ seatId, userId }: SeatMove): string => {
    const target = seats.find(({ id }) => id === seatId);
    const before = nameAt({ kind: 'seat', seatId });
    if (!target || userId === null) return t('nowUnseated', { name: before });
    const old = seats.find((seat) => seat.userId === userId);
    const name = nameAt(old ? { kind: 'seat', seatId: old.id } : { kind: 'student', userId });
    if (old && target.userId !== null) return t('nowSwapped', { name, other: before });
    return t('nowAt', { name, group: target.groupIndex, row: target.row, col: target.col });
  };
  const pickedName = nameAt(picked);
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
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
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
    } else focusNearest(event, [...event.currentTarget.querySelectorAll<HTMLElement>('[data-seat]')], button);
  };
  return (
    <DragDropProvider
      sensors={sensors}
      plugins={plugins}
      onDragStart={() => setPicked(null)}
      onDragEnd={onDragEnd}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys and presses act on the buttons inside */}
      <div onKeyDown={onKeyDown}>
        <Text size="sm" c="dimmed" mb="md">
          {t('help')}{' '}
          <Text span inherit visibleFrom="sm">
            {t('helpKeys')}
          </Text>
        </Text>
        <RoomFrame
          room={room}
          side={side}
          seatOf={({ seat, row, col }) => (
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
          )}
        />
        <UnseatedStudents people={unseated} picked={picked} onChoose={onChoose} />
        <StickyBar
          maw={720}
          mx="auto"
          bd="1px solid var(--app-accent)"
          // Stays in the page when nothing is selected, so that screen readers read the text when it changes.
          {...(!picked && { p: 0, mt: 0, bd: 0, style: {} })}
        >
          <Text size="sm" role="status" flex={1} miw={180}>
            {picked && (pickedName ? t('pickedStudent', { name: pickedName }) : t('pickedSeat'))}
          </Text>
          {picked && (
            <Group gap="xs">
              {picked.kind === 'seat' && pickedName && (
                <Button size="sm" variant="light" onClick={() => put(picked, { kind: 'unseated' })}>
                  {t('freeSeat')}
                </Button>
              )}
              <Button size="sm" variant="default" onClick={() => setPicked(null)}>
                {t('cancel')}
              </Button>
            </Group>
          )}
        </StickyBar>
      </div>
      <div className="visually-hidden" role="status">
        {said}
      </div>
      <DragOverlay dropAnimation={null}>
        {(source) => (
          <Center
            h="100%"
            mih={44}
            p="4px 8px"
            bd="2px solid var(--app-accent)"
            bdrs={10}
            bg="var(--app-surface)"
            fz={15}
            fw={600}
            lh={1.25}
            ta="center"
            style={{ boxShadow: 'var(--mantine-shadow-md)', cursor: 'grabbing' }}
          >
            {String(source.data.name)}
          </Center>
        )}
      </DragOverlay>
    </DragDropProvider>
  );
}
