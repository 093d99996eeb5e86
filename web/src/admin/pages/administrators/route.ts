import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';

export const administratorsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'administrators',
  component: lazyRouteComponent(() => import('./AdministratorsPage.tsx'), 'AdministratorsPage'),
});
