/** Spec: Query parameters */
export const STARTER_SLUG_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Status of a step of a run: that of its generations, and in addition
 * - `waiting`: its dependencies are unfinished, or it is about to start;
 * - `skipped`: its condition is false; steps that depend on it run without it;
 * - `stopped`: a dependency did not succeed, so it never started.
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

/** Origin of a starter: part of the service, the operator's folder, or saved by the organization. */
export const STARTER_SOURCES = ['shipped', 'operator', 'own'] as const;
export type StarterSource = (typeof STARTER_SOURCES)[number];
