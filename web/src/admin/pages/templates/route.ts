import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell-route.ts';

export const templatesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: 'templates',
  validateSearch: (raw: Record<string, unknown>): { class?: number } =>
    Number.isSafeInteger(raw.class) && Number(raw.class) > 0 ? { class: Number(raw.class) } : {},
  component: lazyRouteComponent(() => import('./TemplatesPage.tsx'), 'TemplatesPage'),
});
