import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';

export const scoringRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'scoring',
  component: lazyRouteComponent(() => import('./ScoringPage.tsx'), 'ScoringPage'),
});
