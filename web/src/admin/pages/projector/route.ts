import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell-route.ts';

/** Stands outside the shell: the whole screen belongs to the class. */
export const projectorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'projector',
  validateSearch: (search: Record<string, unknown>): { school?: string; class?: number } => ({
    ...(typeof search.school === 'string' && search.school !== '' && { school: search.school }),
    ...(Number.isSafeInteger(search.class) && { class: search.class as number }),
  }),
  component: lazyRouteComponent(() => import('./ProjectorPage.tsx'), 'ProjectorPage'),
});
