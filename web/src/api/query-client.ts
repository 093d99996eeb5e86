import { MutationCache, notifyManager, QueryClient } from '@tanstack/react-query';
import { ApiFailure, NotConfirmedError } from './api-failure.ts';

export function createQueryClient(mutationCache = new MutationCache()): QueryClient {
  // Notifies before the next event, so that a double click sends once.
  notifyManager.setScheduler(queueMicrotask);
  return new QueryClient({
    mutationCache,
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // Without a network a call fails visibly and does not wait.
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
