import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';
import { readApplicationsSearch } from './applications-search.ts';

export const applicationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'applications',
  validateSearch: readApplicationsSearch,
  component: lazyRouteComponent(() => import('./ApplicationsPage.tsx'), 'ApplicationsPage'),
});
