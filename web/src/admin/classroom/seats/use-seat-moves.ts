import type { Seat } from '@classledger/contract';
import { notifications } from '@mantine/notifications';
import { type Mutation, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../../api/call.ts';
import { queryKeyOf } from '../../../api/queries.ts';
import { invalidateStaleReads } from '../../../api/stale-reads.ts';
import { useFailureText } from '../../../components/failure-text.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { applySeatMove, type Person, type SeatMove } from './room.ts';
import { texts } from './texts.ts';

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
  const scope = { id: `seats ${schoolDb} ${classId}` };
  const predicate = ({ options }: Mutation) => options.scope?.id === scope.id;
  const { mutate: move } = useMutation({
    scope,
    mutationFn: ({ seatId, userId }: SeatMove) =>
      call('updateSeat', { params: { id: seatId }, body: { schoolDb, userId } }),
    // Cancels running reads, whose answers would not include this move.
    onMutate: () => client.cancelQueries({ queryKey }),
    onSuccess: (_, made) =>
      client.setQueryData<readonly Seat[]>(
        queryKey,
        (before) => before && applySeatMove(before, made, people),
      ),
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: t('notMoved'),
        message: failureText(error, { 404: t('layoutChanged'), 409: t('layoutChanged') }),
      }),
    onSettled: () => {
      const isLast = client.isMutating({ predicate }) === 1;
      if (isLast) void invalidateStaleReads(client, ['updateSeat']);
    },
  });
  const waiting = useMutationState({
    filters: { status: 'pending', predicate },
    select: ({ state }) => state.variables as SeatMove,
  });
  const shown = useMemo(
    () => waiting.reduce((seats, next) => applySeatMove(seats, next, people), settled),
    [settled, waiting, people],
  );
  return { shown, move };
}
