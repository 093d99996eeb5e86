import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readPage } from '../../address.ts';
import { shellRoute } from '../../shell-route.ts';

export const credentialsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'api-tokens',
  validateSearch: readPage,
  component: lazyRouteComponent(() => import('./CredentialsPage.tsx'), 'CredentialsPage'),
});
