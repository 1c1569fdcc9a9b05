import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { ROLE_LABELS } from '../role-labels.ts';
import { meQuery } from '../queries/me.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';

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
