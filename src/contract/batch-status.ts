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
