import type { AlertKind } from '#contract/alert-kinds.ts';

/** Something that is wrong now, or that someone waits to hear. */
export interface AlertCause {
  kind: AlertKind;
  /** A budget, provider connection, added model, webhook endpoint or share page; empty: the organization. */
  subject_id: string;
  subject_name: string;
  /** What it is raised once for; null: until it is over, and once a day at most. */
  period: string | null;
  /** One line. */
  message: string;
}

export const organizationCause = (kind: AlertKind, period: string | null, message: string): AlertCause => ({
  kind,
  subject_id: '',
  subject_name: '',
  period,
  message,
});

/** The day in UTC, as `2026-11-23`. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
