import type { ReactNode } from 'react';
import { Link, useLocation } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { useSession } from './session.ts';

export function SignInLink({ className, children = 'Sign in' }: { className?: string; children?: ReactNode }) {
  const from = useLocation({ select: (location) => location.href });
  return (
    <Link to="/sign-in" search={{ from }} className={className ?? buttonClass({ variant: 'primary' })}>
      {children}
    </Link>
  );
}

/**
 * Shows its children while signed in, and after the key expires, so that typed work stays. Others see what they would
 * get by signing in. `to` completes "Sign in to …".
 */
export function RequireSession({ to, children }: { to: string; children: ReactNode }) {
  if (useSession() !== 'signed_out') return children;
  return (
    <EmptyState icon={<KeyRound aria-hidden="true" />} title={`Sign in to ${to}`} actions={<SignInLink />}>
      Prices and estimates work without signing in.
    </EmptyState>
  );
}
