import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';

export const schoolsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'schools',
  component: lazyRouteComponent(() => import('./SchoolsPage.tsx'), 'SchoolsPage'),
});
