import { notifications } from '@mantine/notifications';
import type { UseMutationResult } from '@tanstack/react-query';
import type { DataOf, InputOf, OperationId } from '../api/operation-types.ts';
import { useMutationOf } from '../api/queries.ts';

/** Shows a notice after success: `useMutationWithNotice('deleteTerm', ({ name }) => t('deleted', { name }))`. */
export function useMutationWithNotice<I extends OperationId>(
  id: I,
  done: (data: DataOf<I>, input: InputOf<I>) => string,
  then?: (data: DataOf<I>, input: InputOf<I>) => void,
): UseMutationResult<DataOf<I>, Error, InputOf<I>> {
  return useMutationOf(id, {
    onSuccess: (data, input) => {
      const message = done(data, input);
      // The id prevents a second notice with the same text, which would cover the next button on a phone.
      notifications.show({ id: message, message });
      then?.(data, input);
    },
  });
}
