import { createRoute } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';

export const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  component: lazyPage(() => import('#web/features/settings/settings-page.tsx'), 'SettingsPage'),
});
