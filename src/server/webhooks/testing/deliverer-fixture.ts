import type { DeliveryStatus, WebhookDelivery, WebhookEventType } from '#contract/resources/webhook.ts';
import type { SharedService, TestOrganization } from '#server/generations/testing/shared-service-fixture.ts';
import { waitFor } from '#server/generations/testing/wait-for.ts';
import { startDeliverer } from '../deliverer.ts';

/** What tests about deliveries look at. */
export interface DelivererFixture {
  /** Delivers what is due, by the clock of the service, until `stop`; what is due once the clock was moved is found at once. */
  start(look_every_ms?: number): Promise<void>;
  stop(): Promise<void>;
  /** A new endpoint of the studio. */
  register(studio: TestOrganization, url: string, events?: WebhookEventType[]): Promise<{ id: string; secret: string }>;
  /** Its deliveries, newest first, a hundred at most. */
  listDeliveries(studio: TestOrganization, endpoint_id: string, status?: DeliveryStatus): Promise<WebhookDelivery[]>;
  /** Waits until its newest delivery has been attempted so often. */
  waitForAttempts(studio: TestOrganization, endpoint_id: string, times: number): Promise<WebhookDelivery>;
}

export function createDelivererFixture(service: SharedService): DelivererFixture {
  const stops: (() => Promise<void>)[] = [];
  const deliveries = async (studio: TestOrganization, endpoint_id: string, status?: DeliveryStatus) => {
    const query = { limit: 100, ...(status === undefined ? {} : { status }) };
    return (await studio.call('list_webhook_deliveries', { params: { endpoint_id }, query })).body.data;
  };
  return {
    listDeliveries: deliveries,
    async start(look_every_ms = 20) {
      stops.push(await startDeliverer(service.get().deps, { alone: true, look_every_ms }));
    },
    async stop() {
      for (const stop of stops.splice(0)) await stop();
    },
    async register(studio, url, events = ['generation.succeeded', 'generation.failed', 'generation.manual_review']) {
      return (await studio.call('create_webhook_endpoint', { body: { url, events } })).body;
    },
    waitForAttempts: (studio, endpoint_id, times) =>
      waitFor(`attempt ${times}`, async () => {
        const [newest] = await deliveries(studio, endpoint_id);
        return newest?.attempts.length === times && newest;
      }),
  };
}
