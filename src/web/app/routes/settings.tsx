import { createRoute, redirect } from '@tanstack/react-router';
import { fetchPermissions } from '#web/api/queries/permissions.ts';
import { pageRoute } from './page-route.ts';
import { rootRoute } from './root.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';

/** Of the organization. Who may not change them has settings of the device alone. */
export const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  beforeLoad: async ({ context: { queryClient } }) => {
    const permissions = await fetchPermissions(queryClient);
    if (permissions?.includes('settings.manage') === false) throw redirect({ to: '/device', replace: true });
  },
  component: lazyPage(() => import('#web/features/settings/organization-page.tsx'), 'OrganizationPage'),
});

export const deviceRoute = pageRoute('/device', () => import('#web/features/settings/device-page.tsx'), 'DevicePage');
