import type { DeliveryStatus, WebhookDelivery, WebhookEventType } from '#contract/resources/webhook.ts';
import type { SharedService, Studio } from '../../generations/testing/both-databases.ts';
import { waitFor } from '../../generations/testing/wait-for.ts';
import { startDeliverer } from '../deliverer.ts';

/** What tests about deliveries look at. */
export interface WebhookBench {
  /** Delivers what is due, by the clock of the service, until `stop`; what is due once the clock was moved is found at once. */
  start(look_every_ms?: number): Promise<void>;
  stop(): Promise<void>;
  /** A new endpoint of the studio. */
  register(studio: Studio, url: string, events?: WebhookEventType[]): Promise<{ id: string; secret: string }>;
  /** Its deliveries, newest first, a hundred at most. */
  deliveries(studio: Studio, endpoint_id: string, status?: DeliveryStatus): Promise<WebhookDelivery[]>;
  /** Waits until its newest delivery has been attempted so often. */
  attempted(studio: Studio, endpoint_id: string, times: number): Promise<WebhookDelivery>;
}

export function createWebhookBench(service: SharedService): WebhookBench {
  const stops: (() => Promise<void>)[] = [];
  const deliveries = async (studio: Studio, endpoint_id: string, status?: DeliveryStatus) => {
    const query = { limit: 100, ...(status === undefined ? {} : { status }) };
    return (await studio.call('list_webhook_deliveries', { params: { endpoint_id }, query })).body.data;
  };
  return {
    deliveries,
    async start(look_every_ms = 20) {
      stops.push(await startDeliverer(service.get().deps, { alone: true, look_every_ms }));
    },
    async stop() {
      for (const stop of stops.splice(0)) await stop();
    },
    async register(studio, url, events = ['generation.succeeded', 'generation.failed', 'generation.manual_review']) {
      return (await studio.call('create_webhook_endpoint', { body: { url, events } })).body;
    },
    attempted: (studio, endpoint_id, times) =>
      waitFor(`attempt ${times}`, async () => {
        const [newest] = await deliveries(studio, endpoint_id);
        return newest?.attempts.length === times && newest;
      }),
  };
}
