import type { ReactNode } from 'react';
import { Link, useLocation } from '@tanstack/react-router';
import { KeyRound, ShieldCheck } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { ROLE_LABELS } from '../role-labels.ts';
import { meQuery } from '../queries/me.ts';
import type { Permission } from '#contract/permissions.ts';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { useCannot } from '../queries/permissions.ts';
import { useSession } from './session.ts';

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

/** Stands for what the role or the key may not do. `to` completes "You can’t …". */
export function NotAllowed({ to, children }: { to: string; children?: string }) {
  const { data: me } = useQuery(meQuery);
  const role = me?.person ? `Your role is ${ROLE_LABELS[me.person.role].label.toLowerCase()}.` : null;
  return (
    <EmptyState icon={<ShieldCheck aria-hidden="true" />} title={`You can’t ${to}`}>
      {role ?? `You are signed in with the key “${me?.key.name ?? ''}”.`}{' '}
      {children ?? `Ask an administrator of ${me?.organization.name ?? 'your organization'} if you need this.`}
    </EmptyState>
  );
}
