import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';

export const activityRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'activity',
  component: lazyRouteComponent(() => import('./ActivityPage.tsx'), 'ActivityPage'),
});
