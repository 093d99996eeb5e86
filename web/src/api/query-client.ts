import { QueryClient } from '@tanstack/react-query';
import { ApiFailure } from './api-failure.ts';

/** What every page keeps its answers in. A refusal is not asked again: the server meant it. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (count, error) => count < 2 && !(error instanceof ApiFailure && error.status < 500),
      },
    },
  });
}
