import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';

export const studentsImportRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'students/import',
  component: lazyRouteComponent(() => import('./ImportPage.tsx'), 'ImportPage'),
});
