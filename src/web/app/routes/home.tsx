import { createRoute, redirect } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ href: '/create', replace: true });
  },
});
