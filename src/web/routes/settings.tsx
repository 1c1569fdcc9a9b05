import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '#web/routes/root.tsx';

export const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('#web/features/settings/settings-page.tsx'), 'SettingsPage'),
});
