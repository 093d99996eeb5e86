import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readPage } from '../../address.ts';
import { shellRoute } from '../../shell-route.ts';

export const announcementsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'announcements',
  validateSearch: readPage,
  component: lazyRouteComponent(() => import('./AnnouncementsPage.tsx'), 'AnnouncementsPage'),
});
