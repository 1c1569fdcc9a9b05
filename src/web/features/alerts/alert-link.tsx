import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AlertKind } from '#contract/alert-kinds.ts';
import type { Permission } from '#contract/permissions.ts';
import type { Alert } from '#contract/resources/alert.ts';

interface Cause {
  /** Text of the link. */
  label: string;
  permission: Permission;
}

const BILLING: Cause = { label: 'Open billing', permission: 'billing.read' };
const MODEL: Cause = { label: 'Open model', permission: 'models.manage' };
const ANSWERS: Cause = { label: 'Open answers', permission: 'work.read' };
const WEBHOOK: Cause = { label: 'Open endpoint', permission: 'webhooks.manage' };

/** Where the cause of an alert is shown. */
export const ALERT_CAUSES = {
  low_balance: BILLING,
  budget_warning: BILLING,
  budget_exhausted: BILLING,
  unusual_spend: BILLING,
  bill_differs: { label: 'Open month', permission: 'costs.read' },
  provider_paused: { label: 'Open providers', permission: 'providers.manage' },
  model_changed: MODEL,
  model_costs_more: MODEL,
  endpoint_failing: WEBHOOK,
  endpoint_disabled: WEBHOOK,
  review_waiting: { label: 'Open review', permission: 'reviews.read' },
  verification_mismatch: { label: 'Verify the ledger', permission: 'ledger.verify' },
  low_disk_space: { label: 'Open library', permission: 'work.read' },
  client_answered: ANSWERS,
  client_approved: ANSWERS,
} satisfies Record<AlertKind, Cause>;

interface AlertLinkProps {
  alert: Pick<Alert, 'kind' | 'subject' | 'period'>;
  className?: string;
  onClick?: () => void;
  children: ReactNode;
}

/** Links to the cause of an alert. */
export function AlertLink({ alert: { kind, subject, period }, ...props }: AlertLinkProps) {
  switch (kind) {
    case 'bill_differs':
      return <Link to="/billing" search={{ part: 'close', month: period }} {...props} />;
    case 'provider_paused':
      return <Link to="/providers" {...props} />;
    case 'model_changed':
    case 'model_costs_more':
      return <Link to="/added-models/$modelId" params={{ modelId: subject?.id ?? '' }} {...props} />;
    case 'endpoint_failing':
    case 'endpoint_disabled':
      return <Link to="/webhooks/$endpoint" params={{ endpoint: subject?.id ?? '' }} {...props} />;
    case 'review_waiting':
      return <Link to="/review" {...props} />;
    case 'low_disk_space':
      return <Link to="/library" {...props} />;
    case 'client_answered':
    case 'client_approved':
      return <Link to="/library" search={{ link: subject?.id ?? '' }} {...props} />;
    default:
      return <Link to="/billing" {...props} />;
  }
}
