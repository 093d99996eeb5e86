import { QueryClient } from '@tanstack/react-query';
import { ApiFailure } from './api-failure.ts';

/** What every page keeps its answers in. A refusal is not asked again: the server meant it. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // Without a network a call fails and says so, instead of waiting in silence.
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (count, error) => count < 2 && !(error instanceof ApiFailure && error.status < 500),
      },
      mutations: { networkMode: 'always' },
    },
  });
}
