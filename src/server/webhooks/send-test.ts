import type { GenerationStatus } from '#contract/generation-status.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { WebhookEventType, WebhookDelivery } from '#contract/resources/webhook.ts';
import type { Caller } from '#server/core/caller.ts';
import type { PresentDeps } from '#server/generations/present-generation.ts';
import { createMediaLink } from '#server/assets/media-links.ts';
import { createId } from '#server/core/create-id.ts';
import type { Deps } from '#server/deps.ts';
import { webhookDeliveries, webhookEvents } from '#server/db/webhook-schema.ts';
import { readDelivery } from './find-delivery.ts';
import { findEnabledEndpoint } from './find-endpoint.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';

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
function createSampleGeneration(deps: PresentDeps, caller: Caller, type: WebhookEventType): Generation {
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

/**
 * Sends an event about a generation that does not exist, of a type that the endpoint subscribes to. Decision:
 * Deliveries
 * @throws {ApiError} 404 `webhook_endpoint_not_found`; 409 `webhook_endpoint_disabled`
 */
export async function sendTest(
  deps: PresentDeps & Pick<Deps, 'db' | 'queue'>,
  caller: Caller,
  endpoint_id: string,
): Promise<WebhookDelivery> {
  const { organization_id } = caller;
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const endpoint = await findEnabledEndpoint({ db: tx }, organization_id, endpoint_id);
    const [type = 'generation.succeeded'] = endpoint.events;
    const object = createSampleGeneration(deps, caller, type);
    const [event_id, id] = [createId('evt', now), createId('dlv', now)];
    await tx.insert(webhookEvents).values({
      id: event_id,
      organization_id,
      type,
      generation_id: object.id,
      test: true,
      object,
      created_at: now,
    });
    await tx.insert(webhookDeliveries).values({
      id,
      endpoint_id: endpoint.id,
      event_id,
      status: 'pending',
      next_attempt_at: now,
      created_at: now,
    });
    await enqueueDelivery(deps, tx, event_id);
    return readDelivery({ db: tx }, organization_id, id);
  });
}
