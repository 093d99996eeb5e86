import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';

export const structureRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'structure',
  component: lazyRouteComponent(() => import('./StructurePage.tsx'), 'StructurePage'),
});
