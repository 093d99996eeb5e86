import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';

export const auditLogRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'audit-log',
  component: lazyRouteComponent(() => import('./AuditLogPage.tsx'), 'AuditLogPage'),
});
