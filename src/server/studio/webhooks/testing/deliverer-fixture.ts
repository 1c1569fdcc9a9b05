import type { WebhookDelivery, WebhookEventType } from '#contract/resources/webhook.ts';
import type { DeliveryStatus } from '#contract/statuses.ts';
import type { SharedService, TestOrganization } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { startDeliverer } from '#server/studio/webhooks/deliverer.ts';

export interface DelivererFixture {
  /** Delivers due events by the clock of the service until `stop`. */
  start(pollIntervalMs?: number): Promise<void>;
  stop(): Promise<void>;
  register(
    organization: TestOrganization,
    url: string,
    events?: WebhookEventType[],
  ): Promise<{ id: string; secret: string }>;
  /** Newest first, at most 100. */
  listDeliveries(
    organization: TestOrganization,
    endpoint_id: string,
    status?: DeliveryStatus,
  ): Promise<WebhookDelivery[]>;
  /** Waits until the newest delivery has this many attempts. */
  waitForAttempts(organization: TestOrganization, endpoint_id: string, times: number): Promise<WebhookDelivery>;
}

export function createDelivererFixture(service: SharedService): DelivererFixture {
  const stopFunctions: (() => Promise<void>)[] = [];
  const deliveries = async (organization: TestOrganization, endpoint_id: string, status?: DeliveryStatus) => {
    const query = { limit: 100, ...(status === undefined ? {} : { status }) };
    return (await organization.call('list_webhook_deliveries', { params: { endpoint_id }, query })).body.data;
  };
  return {
    listDeliveries: deliveries,
    async start(pollIntervalMs = 20) {
      stopFunctions.push(await startDeliverer(service.get().deps, { alone: true, pollIntervalMs }));
    },
    async stop() {
      for (const stop of stopFunctions.splice(0)) await stop();
    },
    async register(
      organization,
      url,
      events = ['generation.succeeded', 'generation.failed', 'generation.manual_review'],
    ) {
      return (await organization.call('create_webhook_endpoint', { body: { url, events } })).body;
    },
    waitForAttempts: (organization, endpoint_id, times) =>
      waitFor(`attempt ${times}`, async () => {
        const [newest] = await deliveries(organization, endpoint_id);
        return newest?.attempts.length === times && newest;
      }),
  };
}
