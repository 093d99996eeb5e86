import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';
import { readRecordsSearch } from './records-search.ts';

export const recordsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'records',
  validateSearch: readRecordsSearch,
  component: lazyRouteComponent(() => import('./RecordsPage.tsx'), 'RecordsPage'),
});
