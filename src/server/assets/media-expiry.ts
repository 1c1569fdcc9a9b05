import type { Config } from '#server/core/config.ts';

const DAY_MS = 86_400_000;

/**
 * When the file of an upload or asset is due for removal. Removal waits for a generation that uses it.
 * Decision: Retention
 * @returns ISO 8601, UTC; null if media do not expire
 */
export const mediaExpiresAt = ({ media_ttl_days }: Pick<Config, 'media_ttl_days'>, created_at: Date): string | null =>
  media_ttl_days === 0 ? null : new Date(created_at.getTime() + media_ttl_days * DAY_MS).toISOString();

/** Media created before this time have expired; null if media do not expire. */
export const retentionCutoff = ({ media_ttl_days }: Pick<Config, 'media_ttl_days'>, now: Date): Date | null =>
  media_ttl_days === 0 ? null : new Date(now.getTime() - media_ttl_days * DAY_MS);
