import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { idIn, present, type RawSearch } from '../../address.ts';
import { rootRoute } from '../../shell-route.ts';

/** Stands outside the shell: the whole screen belongs to the class. */
export const projectorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'projector',
  validateSearch: (raw: RawSearch) =>
    present<{ readonly school?: string; readonly class?: number }>({
      school: typeof raw.school === 'string' && raw.school !== '' ? raw.school : undefined,
      class: idIn(raw.class),
    }),
  component: lazyRouteComponent(() => import('./ProjectorPage.tsx'), 'ProjectorPage'),
});
