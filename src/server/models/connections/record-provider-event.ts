import type { AuditAction } from '#contract/audit-actions.ts';
import type { ProviderId } from '#contract/providers.ts';
import { type AuditActor, type AuditChange, recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { findPreset } from '#server/models/providers/presets.ts';
import type { ConnectionSettings } from './validate-settings.ts';

/** Records a change of a provider's connection in the audit log. */
export const recordProviderEvent = (
  tx: Tx,
  actor: AuditActor,
  { id, provider }: { id: string; provider: ProviderId },
  change: { action: Extract<AuditAction, `provider.${string}`> } & Pick<AuditChange, 'before' | 'after'>,
  now: Date,
): Promise<void> =>
  recordAuditEvent(
    tx,
    actor,
    { ...change, target: { type: 'provider', id, name: findPreset(provider)?.name ?? provider } },
    now,
  );

/** One field per model, so that an event contains only those that changed. Workflows are left out. */
export const describeSettings = ({
  models,
  text_model,
  visible_watermark,
}: ConnectionSettings): Record<string, unknown> => ({
  ...Object.fromEntries(
    models.map(({ task, model, provider_model = null, markup_percent }) => [
      `${task} ${model}`,
      { provider_model, markup_percent },
    ]),
  ),
  ...(text_model === null ? {} : { text_model }),
  ...(visible_watermark ? { visible_watermark } : {}),
});
