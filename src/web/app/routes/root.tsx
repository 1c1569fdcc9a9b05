import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext } from '@tanstack/react-router';
import { NotFound } from '../shell/not-found.tsx';
import { RouteError } from '../shell/route-error.tsx';
import { Shell } from '../shell/shell.tsx';

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Shell,
  errorComponent: RouteError,
  notFoundComponent: NotFound,
});
