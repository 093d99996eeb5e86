import { MutationCache, notifyManager, QueryClient } from '@tanstack/react-query';
import { ApiFailure, NotConfirmedError } from './api-failure.ts';

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
