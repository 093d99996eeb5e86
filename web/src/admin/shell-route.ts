import { createRootRoute, createRoute, retainSearchParams } from '@tanstack/react-router';
import { AdminShell } from './shell/AdminShell.tsx';

export const rootRoute = createRootRoute();

/** What every page stands in. The chosen school travels in the address, so that links name it. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: AdminShell,
  validateSearch: (search: Record<string, unknown>): { school?: string } =>
    typeof search.school === 'string' && search.school !== '' ? { school: search.school } : {},
  search: { middlewares: [retainSearchParams(['school'])] },
});
