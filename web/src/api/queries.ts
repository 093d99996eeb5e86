import {
  keepPreviousData,
  MutationCache,
  notifyManager,
  QueryClient,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import { ApiFailure, NotConfirmedError } from './api-failure.ts';
import { call, callList, type Page } from './call.ts';
import type { DataOf, InputArguments, InputOf, ListId, OperationId, RowOf } from './operation-types.ts';

interface QueryOptions {
  readonly enabled?: boolean;
  /** Milliseconds between automatic fetches, for pages that stay open for long. */
  readonly refetchInterval?: number;
}

export function queryKeyOf<I extends OperationId>(id: I, input?: InputOf<I>): QueryKey {
  return input === undefined ? [id] : [id, input];
}

/** Returns key and function of a read, for `fetchQuery` and `prefetchQuery`. */
export function operationQuery<I extends OperationId>(id: I, ...[input]: InputArguments<I>) {
  return {
    queryKey: queryKeyOf(id, input as InputOf<I>),
    queryFn: () => call(id, ...([input] as InputArguments<I>)),
  };
}

export function useOperation<I extends OperationId>(
  id: I,
  ...[input, options]: [...InputArguments<I>, options?: QueryOptions]
): UseQueryResult<DataOf<I>> {
  return useQuery({
    ...operationQuery(id, ...([input] as InputArguments<I>)),
    ...(options as QueryOptions | undefined),
  });
}

/** Reads a page of a list, with the list's total. While another page loads, keeps the rows of the current one. */
export function useOperationList<I extends ListId>(
  id: I,
  ...[input, options]: [...InputArguments<I>, options?: QueryOptions]
): UseQueryResult<Page<RowOf<I>>> {
  return useQuery({
    queryKey: [...queryKeyOf(id, input as InputOf<I>), 'list'],
    queryFn: () => callList(id, ...([input] as InputArguments<I>)),
    placeholderData: keepPreviousData,
    ...(options as QueryOptions | undefined),
  });
}

interface MutationOptions<I extends OperationId> {
  readonly onSuccess?: (data: DataOf<I>, input: InputOf<I>) => void;
  readonly onError?: (error: Error, input: InputOf<I>) => void;
}

/** Returns a mutation that calls an operation and then refetches the reads that show the changed data. */
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

export function createQueryClient(mutationCache = new MutationCache()): QueryClient {
  // Notifies components at once, so that a button is busy before the second click of a double click.
  notifyManager.setScheduler(queueMicrotask);
  return new QueryClient({
    mutationCache,
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // Without a network a call fails at once instead of waiting.
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (count, error) =>
          count < 2 &&
          !(error instanceof ApiFailure && error.status < 500) &&
          !(error instanceof NotConfirmedError),
      },
      mutations: { networkMode: 'always' },
    },
  });
}
