import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';
import { readStatisticsSearch } from './statistics-search.ts';

export const statisticsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'statistics',
  validateSearch: readStatisticsSearch,
  component: lazyRouteComponent(() => import('./StatisticsPage.tsx'), 'StatisticsPage'),
});
