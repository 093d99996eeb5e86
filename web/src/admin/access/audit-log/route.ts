import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';
import { readAuditSearch } from './audit-search.ts';

export const auditLogRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'audit-log',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('./AuditLogPage.tsx'), 'AuditLogPage'),
});
