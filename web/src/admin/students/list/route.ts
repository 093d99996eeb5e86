import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';
import { readStudentsSearch } from './students-search.ts';

export const studentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'students',
  validateSearch: readStudentsSearch,
  component: lazyRouteComponent(() => import('./StudentsPage.tsx'), 'StudentsPage'),
});
