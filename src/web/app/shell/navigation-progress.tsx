import { useRouterState } from '@tanstack/react-router';

/** Shows a thin line at the top while the next page loads. */
export function NavigationProgress() {
  const pending = useRouterState({ select: (state) => state.status === 'pending' });
  return pending ? <div aria-hidden="true" className="pending-bar" /> : null;
}
