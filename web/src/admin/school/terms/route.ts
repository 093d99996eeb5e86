import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';
import { readTermsSearch } from './terms-search.ts';

export const termsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'terms',
  validateSearch: readTermsSearch,
  component: lazyRouteComponent(() => import('./TermsPage.tsx'), 'TermsPage'),
});
