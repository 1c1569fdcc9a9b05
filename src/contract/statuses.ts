export const GENERATION_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'canceled', 'manual_review'] as const;
export type GenerationStatus = (typeof GENERATION_STATUSES)[number];

/** Allowed status transitions; final statuses have none. Decision: Statuses */
export const TRANSITIONS = {
  queued: ['running', 'canceled'],
  running: ['succeeded', 'failed', 'manual_review', 'canceled'],
  manual_review: ['succeeded', 'failed'],
  succeeded: [],
  failed: [],
  canceled: [],
} as const satisfies Record<GenerationStatus, readonly GenerationStatus[]>;

export const isActive = (status: GenerationStatus) => status === 'queued' || status === 'running';

export const BILLING_STATUSES = ['reserved', 'settled', 'released', 'refunded'] as const;
export type BillingStatus = (typeof BILLING_STATUSES)[number];

/** `together`: all orders start at once or none does. `list`: they start one after the other. Decision: Batches */
export const BATCH_MODES = ['together', 'list'] as const;
export type BatchMode = (typeof BATCH_MODES)[number];

export const BATCH_STATUSES = ['running', 'paused', 'completed', 'canceled'] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** Why a list is paused: somebody asked for it, or its next order exceeds a limit. */
export const PAUSE_REASONS = ['requested', 'stop_at', 'funds', 'budget', 'approval'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** `active`: queued or running. `failed`: its generation failed, or it could not be started. */
export const BATCH_ORDER_STATUSES = ['waiting', 'active', 'succeeded', 'failed', 'canceled', 'manual_review'] as const;
export type BatchOrderStatus = (typeof BATCH_ORDER_STATUSES)[number];

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

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const MEDIA_ORIGINS = ['upload', 'generated'] as const;

/** What clients answer on share pages. */
export const CLIENT_VERDICTS = ['picked', 'approved', 'changes_requested', 'commented'] as const;
export type ClientVerdict = (typeof CLIENT_VERDICTS)[number];
