import { MutationCache, notifyManager, QueryClient } from '@tanstack/react-query';
import { ApiFailure, Unconfirmed } from './api-failure.ts';

/** What every page keeps its answers in. A refusal is not asked again: the server meant it. */
export function createQueryClient(mutationCache = new MutationCache()): QueryClient {
  // A button shows that its call is under way before the next event comes: a double click sends once. The library
  // would tell in a later task, after the second click.
  notifyManager.setScheduler(queueMicrotask);
  return new QueryClient({
    mutationCache,
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // Without a network a call fails and says so, instead of waiting in silence.
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (count, error) =>
          count < 2 &&
          !(error instanceof ApiFailure && error.status < 500) &&
          !(error instanceof Unconfirmed),
      },
      mutations: { networkMode: 'always' },
    },
  });
}
