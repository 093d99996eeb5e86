import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';
import { readStudentSearch } from './student-search.ts';

export const studentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'students/$studentId',
  validateSearch: readStudentSearch,
  component: lazyRouteComponent(() => import('./StudentPage.tsx'), 'StudentPage'),
});
