import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';

export const apiTokensRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'api-tokens',
  validateSearch: ({ page }: Record<string, unknown>): { page?: number } =>
    Number.isSafeInteger(page) && Number(page) > 1 ? { page: Number(page) } : {},
  component: lazyRouteComponent(() => import('./ApiTokensPage.tsx'), 'ApiTokensPage'),
});
