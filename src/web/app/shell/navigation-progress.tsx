import { useRouterState } from '@tanstack/react-router';

/** A fine amber line at the top while the next page is on its way, unless it comes at once. */
export function NavigationProgress() {
  const pending = useRouterState({ select: (state) => state.status === 'pending' });
  return pending ? <div aria-hidden="true" className="pending-bar" /> : null;
}
