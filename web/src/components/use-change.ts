import { notifications } from '@mantine/notifications';
import type { UseMutationResult } from '@tanstack/react-query';
import type { DataOf, InputOf, OperationId } from '../api/operation-types.ts';
import { useMutationOf } from '../api/queries.ts';

/**
 * Writes as {@link useMutationOf} does, and says in a corner of the page that it is done:
 * `const remove = useChange('deleteTerm', ({ name }) => t('deleted', { name }), onClose)`.
 *
 * @param then closes the dialog where it was asked for
 */
export function useChange<I extends OperationId>(
  id: I,
  done: (data: DataOf<I>, input: InputOf<I>) => string,
  then?: (data: DataOf<I>, input: InputOf<I>) => void,
): UseMutationResult<DataOf<I>, Error, InputOf<I>> {
  return useMutationOf(id, {
    onSuccess: (data, input) => {
      const message = done(data, input);
      // Saying the same again adds no second notice, which on a phone would cover what is to be tapped next.
      notifications.show({ id: message, message });
      then?.(data, input);
    },
  });
}
