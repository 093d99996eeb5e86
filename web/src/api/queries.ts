import {
  keepPreviousData,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import { call, callList, type Page } from './call.ts';
import type { DataOf, InputArguments, InputOf, ListId, OperationId, RowOf } from './operation-types.ts';

interface QueryOptions {
  readonly enabled?: boolean;
  /** Milliseconds between fetches, for views that stay open. */
  readonly refetchInterval?: number;
}

export function keyOf<I extends OperationId>(id: I, input?: InputOf<I>): QueryKey {
  return input === undefined ? [id] : [id, input];
}

export function useOperation<I extends OperationId>(
  id: I,
  ...[input, options]: [...InputArguments<I>, options?: QueryOptions]
): UseQueryResult<DataOf<I>> {
  return useQuery({
    queryKey: keyOf(id, input as InputOf<I>),
    queryFn: () => call(id, ...([input] as InputArguments<I>)),
    ...(options as QueryOptions | undefined),
  });
}

/** Reads a list with its total. While another page loads, the current one stays. */
export function useOperationList<I extends ListId>(
  id: I,
  ...[input, options]: [...InputArguments<I>, options?: QueryOptions]
): UseQueryResult<Page<RowOf<I>>> {
  return useQuery({
    queryKey: [...keyOf(id, input as InputOf<I>), 'list'],
    queryFn: () => callList(id, ...([input] as InputArguments<I>)),
    placeholderData: keepPreviousData,
    ...(options as QueryOptions | undefined),
  });
}

interface MutationOptions<I extends OperationId> {
  readonly onSuccess?: (data: DataOf<I>, input: InputOf<I>) => void;
  readonly onError?: (error: Error, input: InputOf<I>) => void;
}

/** Returns a mutation: `const create = useMutationOf('createSchool', { onSuccess })`; then refetches stale reads. */
export function useMutationOf<I extends OperationId>(
  id: I,
  { onSuccess, onError }: MutationOptions<I> = {},
): UseMutationResult<DataOf<I>, Error, InputOf<I>> {
  return useMutation({
    mutationKey: [id],
    mutationFn: (input: InputOf<I>) => call(id, ...([input] as InputArguments<I>)),
    onSuccess: (data, input) => onSuccess?.(data, input),
    onError: (error, input) => onError?.(error, input),
  });
}
