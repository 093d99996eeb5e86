import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { idIn, present, type RawSearch } from '../../address.ts';
import { shellRoute } from '../../shell-route.ts';

export const templatesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'templates',
  validateSearch: (raw: RawSearch) => present<{ readonly class?: number }>({ class: idIn(raw.class) }),
  component: lazyRouteComponent(() => import('./TemplatesPage.tsx'), 'TemplatesPage'),
});
