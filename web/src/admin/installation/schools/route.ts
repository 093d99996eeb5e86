import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';
import { readSchoolsSearch } from './schools-search.ts';

export const schoolsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'schools',
  validateSearch: readSchoolsSearch,
  component: lazyRouteComponent(() => import('./SchoolsPage.tsx'), 'SchoolsPage'),
});
