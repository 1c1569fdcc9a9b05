/** Spec: Query parameters */
export const STARTER_SLUG_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Of a step of a run:
 * - `waiting`: what it needs has not ended, or it is about to begin;
 * - as a generation's, once its generations are there;
 * - `skipped`: its condition says that it is not wanted, and what needs it goes on without;
 * - `stopped`: something that it needs did not end well, so it never began.
 */
export const STEP_STATUSES = [
  'waiting',
  'queued',
  'running',
  'succeeded',
  'failed',
  'canceled',
  'manual_review',
  'skipped',
  'stopped',
] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

/** Where a starter comes from: with the service, from the operator's folder, or saved by the organization. */
export const STARTER_SOURCES = ['shipped', 'operator', 'own'] as const;
export type StarterSource = (typeof STARTER_SOURCES)[number];
