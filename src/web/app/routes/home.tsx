import { createRoute, redirect } from '@tanstack/react-router';
import { fetchPermissions } from '#web/api/queries/permissions.ts';
import { rootRoute } from './root.tsx';

/** Opens Create, or Generations for roles that only look. */
export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ context: { queryClient } }) => {
    const permissions = await fetchPermissions(queryClient);
    throw redirect({
      href: permissions?.includes('work.create') === false ? '/generations' : '/create',
      replace: true,
    });
  },
});
