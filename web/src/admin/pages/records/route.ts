import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';

export const recordsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'records',
  component: lazyRouteComponent(() => import('./RecordsPage.tsx'), 'RecordsPage'),
});
