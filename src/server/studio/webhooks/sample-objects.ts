import type { Deps } from '#server/platform/deps.ts';
import type { GenerationStatus } from '#contract/statuses.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { WebhookEventType, WebhookObject } from '#contract/resources/webhook.ts';
import { createMediaLink } from '#server/studio/assets/media-links.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { createId } from '#server/platform/core/create-id.ts';

type GenerationEventType = Extract<WebhookEventType, `generation.${string}`>;

const ERRORS = {
  'generation.succeeded': null,
  'generation.failed': { code: 'engine_failed', message: 'This is a test. Nothing was generated.', retryable: true },
  'generation.manual_review': { code: 'manual_review', message: 'This is a test.', retryable: false },
} as const satisfies Record<GenerationEventType, Generation['error']>;

const STATUSES = {
  'generation.succeeded': ['succeeded', 'settled'],
  'generation.failed': ['failed', 'released'],
  'generation.manual_review': ['manual_review', 'reserved'],
} as const satisfies Record<GenerationEventType, [GenerationStatus, Generation['usage']['billing_status']]>;

/** Creates an object that does not exist, to test receivers. */
export function createSampleObject(deps: Deps, caller: Caller, type: WebhookEventType): WebhookObject {
  switch (type) {
    case 'alert.raised':
      return createSampleAlert(deps);
    case 'ledger.verified':
      return createSampleVerification(deps);
    default:
      return createSampleGeneration(deps, caller, type);
  }
}

/** `metadata.test` is "true", and its link leads nowhere. */
function createSampleGeneration(deps: Deps, caller: Caller, type: GenerationEventType): Generation {
  const now = deps.clock.now();
  const [status, billing_status] = STATUSES[type];
  const time = now.toISOString();
  const assetId = createId('ast', now);
  const asset = { id: assetId, type: 'image', ...createMediaLink(deps, assetId), mime_type: 'image/png' } as const;
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

function createSampleAlert({ clock }: Deps): WebhookObject {
  const now = clock.now();
  const raisedAt = now.toISOString();
  return {
    id: createId('alt', now),
    object: 'alert',
    kind: 'low_balance',
    status: 'open',
    message: 'This is a test. No alert was raised.',
    subject: null,
    period: raisedAt.slice(0, 10),
    raised_at: raisedAt,
    acknowledged_at: null,
    acknowledged_by: null,
    resolved_at: null,
  };
}

/** No entry has the number 0, so nobody takes it for a real result. */
const createSampleVerification = ({ clock }: Deps): WebhookObject => ({
  object: 'verification',
  ok: true,
  checked_entries: 0,
  head: null,
  checks: [],
  problem: null,
  started_at: clock.now().toISOString(),
  duration_ms: 0,
});
