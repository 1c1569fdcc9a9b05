import type { Config } from '#server/core/config.ts';

const DAY_MS = 86_400_000;

/**
 * When the file of an upload or output is removed, by its age alone: a generation that needs it then is waited for.
 * Decision: Retention
 * @returns ISO 8601, UTC; null: it is kept until somebody deletes it
 */
export const mediaExpiresAt = ({ media_ttl_days }: Pick<Config, 'media_ttl_days'>, created_at: Date): string | null =>
  media_ttl_days === 0 ? null : new Date(created_at.getTime() + media_ttl_days * DAY_MS).toISOString();

/** What was made before this moment is to be removed; null: nothing is. */
export const retentionCutoff = ({ media_ttl_days }: Pick<Config, 'media_ttl_days'>, now: Date): Date | null =>
  media_ttl_days === 0 ? null : new Date(now.getTime() - media_ttl_days * DAY_MS);
