import type { GenerationStatus } from '#contract/generation-status.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { WebhookEventType } from '#contract/resources/webhook.ts';
import type { Caller } from '#server/core/caller.ts';
import type { PresentDeps } from '#server/generations/present-generation.ts';
import { createMediaLink } from '#server/assets/media-links.ts';
import { createId } from '#server/core/create-id.ts';

const ERRORS = {
  'generation.succeeded': null,
  'generation.failed': { code: 'engine_failed', message: 'This is a test. Nothing was generated.', retryable: true },
  'generation.manual_review': { code: 'manual_review', message: 'This is a test.', retryable: false },
} as const satisfies Record<WebhookEventType, Generation['error']>;

const STATUSES = {
  'generation.succeeded': ['succeeded', 'settled'],
  'generation.failed': ['failed', 'released'],
  'generation.manual_review': ['manual_review', 'reserved'],
} as const satisfies Record<WebhookEventType, [GenerationStatus, Generation['usage']['billing_status']]>;

/**
 * Creates a generation that does not exist, to test receivers: `metadata.test` is "true", and its link leads nowhere.
 */
export function createSampleGeneration(deps: PresentDeps, caller: Caller, type: WebhookEventType): Generation {
  const now = deps.clock.now();
  const [status, billing_status] = STATUSES[type];
  const time = now.toISOString();
  const asset_id = createId('ast', now);
  const asset = { id: asset_id, type: 'image', ...createMediaLink(deps, asset_id), mime_type: 'image/png' } as const;
  const measures = { width: 1024, height: 1024, duration_seconds: null, size_bytes: 1_000_000 };
  return {
    id: createId('gen', now),
    object: 'generation',
    status,
    model: 'imgmodel-a-2',
    task: 'image.create',
    input: { prompt: 'A test of this webhook' },
    progress: status === 'succeeded' ? 1 : null,
    output: { assets: status === 'succeeded' ? [{ ...asset, ...measures }] : [], data: null },
    usage: { amount_usd: '0.00', line_items: [], billing_status },
    error: ERRORS[type],
    metadata: { test: 'true' },
    retry_of: null,
    workflow_run_id: null,
    created_by: { id: caller.key_id, name: caller.key_name },
    created_at: time,
    started_at: time,
    updated_at: time,
    completed_at: status === 'manual_review' ? null : time,
  };
}
