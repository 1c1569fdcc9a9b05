import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext } from '@tanstack/react-router';
import { NotFound } from '#web/shell/not-found.tsx';
import { RouteError } from '#web/shell/route-error.tsx';
import { Shell } from '#web/shell/shell.tsx';

export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Shell,
  errorComponent: RouteError,
  notFoundComponent: NotFound,
});
