import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';

export const apiTokensRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'api-tokens',
  component: lazyRouteComponent(() => import('./ApiTokensPage.tsx'), 'ApiTokensPage'),
});
