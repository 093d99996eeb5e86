import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';

export const termsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'terms',
  component: lazyRouteComponent(() => import('./TermsPage.tsx'), 'TermsPage'),
});
