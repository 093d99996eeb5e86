import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';
import { readAdministratorsSearch } from './administrators-search.ts';

export const administratorsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'administrators',
  validateSearch: readAdministratorsSearch,
  component: lazyRouteComponent(() => import('./AdministratorsPage.tsx'), 'AdministratorsPage'),
});
