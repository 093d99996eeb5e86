import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';
import { readActivitySearch } from './activity-search.ts';

export const activityRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'activity',
  validateSearch: readActivitySearch,
  component: lazyRouteComponent(() => import('./ActivityPage.tsx'), 'ActivityPage'),
});
