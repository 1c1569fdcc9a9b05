import type { ReactNode } from 'react';
import { Link, useLocation } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import type { Permission } from '#contract/permissions.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { useCannot } from '../queries/permissions.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { useSession } from './session.ts';

/** Stands for what the role or the key may not do. */
export const NotAllowed = lazyComponent(async () => (await import('./not-allowed.tsx')).NotAllowed);

export function SignInLink({ className, children = 'Sign in' }: { className?: string; children?: ReactNode }) {
  const from = useLocation({ select: (location) => location.href });
  return (
    <Link to="/sign-in" search={{ from }} className={className ?? buttonClass({ variant: 'primary' })}>
      {children}
    </Link>
  );
}

interface RequireSessionProps {
  /** Completes "Sign in to …" and "You can’t …". */
  to: string;
  permission?: Permission;
  children: ReactNode;
}

/**
 * Shows its children while signed in with the permission, and after the session expires, so that typed work stays.
 * Others see what they would get by signing in, or that their role is not enough.
 */
export function RequireSession({ to, permission = 'account.use', children }: RequireSessionProps) {
  const isForbidden = useCannot(permission);
  const session = useSession();
  if (isForbidden) return <NotAllowed to={to} />;
  if (session !== 'signed_out') return children;
  return (
    <EmptyState icon={<KeyRound aria-hidden="true" />} title={`Sign in to ${to}`} actions={<SignInLink />}>
      Prices and estimates work without signing in.
    </EmptyState>
  );
}
