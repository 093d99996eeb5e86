import type { Seat } from '@classledger/contract';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { call } from '../../../api/call.ts';
import { queryKeyOf } from '../../../api/queries.ts';
import { invalidateStaleReads } from '../../../api/stale-reads.ts';
import { useFailureText } from '../../../components/failure-text.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { applySeatMove, type Person, type SeatMove } from './room.ts';
import { texts } from './texts.ts';

type QueuedMove = SeatMove & { readonly turn: number };

/** Shows moves at once and sends them one after the other. When the server refuses one, keeps the others. */
export function useSeatMoves(
  schoolDb: string,
  classId: number,
  settled: readonly Seat[],
  people: readonly Person[],
) {
  const t = useTexts(texts);
  const failureText = useFailureText();
  const client = useQueryClient();
  const queryKey = queryKeyOf('listSeats', { query: { schoolDb, classId } });
  const [waiting, setWaiting] = useState<readonly QueuedMove[]>([]);
  const turns = useRef(0);
  const send = useMutation({
    scope: { id: `seats-${classId}` },
    mutationFn: ({ seatId, userId }: QueuedMove) =>
      call('updateSeat', { params: { id: seatId }, body: { schoolDb, userId } }),
    // Cancels running reads, whose answers would not include this move.
    onMutate: () => client.cancelQueries({ queryKey }),
    onSuccess: (_, move) =>
      client.setQueryData<readonly Seat[]>(
        queryKey,
        (before) => before && applySeatMove(before, move, people),
      ),
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: t('notMoved'),
        message: failureText(error, { 404: t('layoutChanged'), 409: t('layoutChanged') }),
      }),
    onSettled: (_data, _error, { turn }) => {
      setWaiting((before) => before.filter((one) => one.turn !== turn));
      if (turn === turns.current) void invalidateStaleReads(client, ['updateSeat']);
    },
  });
  const shown = useMemo(
    () => waiting.reduce((seats, move) => applySeatMove(seats, move, people), settled),
    [settled, waiting, people],
  );
  const move = (wanted: SeatMove) => {
    turns.current += 1;
    const one = { ...wanted, turn: turns.current };
    setWaiting((before) => [...before, one]);
    send.mutate(one);
  };
  return { shown, move };
}
