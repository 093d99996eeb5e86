import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';

export const seatsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'seats',
  component: lazyRouteComponent(() => import('./SeatsPage.tsx'), 'SeatsPage'),
});
