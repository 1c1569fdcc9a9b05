import type { Role } from './permissions.ts';

/** What an alert is about. Decision: Alerts */
export const ALERT_KINDS = [
  'low_balance',
  'budget_warning',
  'budget_exhausted',
  'unusual_spend',
  'provider_paused',
  'bill_differs',
  'model_changed',
  'model_costs_more',
  'endpoint_failing',
  'endpoint_disabled',
  'review_waiting',
  'verification_mismatch',
  'low_disk_space',
  'client_answered',
  'client_approved',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Titles, also the subjects of mails. */
export const ALERT_TITLES = {
  low_balance: 'Low balance',
  budget_warning: 'Budget almost used up',
  budget_exhausted: 'Budget used up',
  unusual_spend: 'Unusual spending',
  /** Also where its bills can't be read. */
  provider_paused: 'Provider problem',
  bill_differs: 'Bill differs from our cost',
  model_changed: 'Added model changed',
  model_costs_more: 'Added model costs more',
  endpoint_failing: 'Webhook endpoint failing',
  endpoint_disabled: 'Webhook endpoint disabled',
  review_waiting: 'Reviews waiting',
  verification_mismatch: 'Ledger verification failed',
  low_disk_space: 'Low disk space',
  client_answered: 'A client answered',
  client_approved: 'A client approved everything',
} as const satisfies Record<AlertKind, string>;

/** `resolved`: the cause is over, whether the alert was acknowledged or not. */
export const ALERT_STATUSES = ['open', 'acknowledged', 'resolved'] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];

/** The roles that see alerts, and so can get them by mail. */
export const ALERT_MAIL_ROLES = ['administrator', 'auditor'] as const satisfies readonly Role[];
export type AlertMailRole = (typeof ALERT_MAIL_ROLES)[number];

/** Further mail addresses. */
export const MAX_ALERT_ADDRESSES = 10;
