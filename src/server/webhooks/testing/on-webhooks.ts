import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type {
  DeliveryStatus,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEventType,
} from '#contract/resources/webhook.ts';
import { type SharedService, type Studio, onBothDatabases } from '../../generations/testing/both-databases.ts';
import { createScriptedEngine } from '../../generations/testing/scripted-engine.ts';
import { waitFor } from '../../generations/testing/wait-for.ts';
import { type WorkerBench, createWorkerBench } from '../../generations/testing/worker-bench.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type WebhookBench, createWebhookBench } from './webhook-bench.ts';

/** What a test of deliveries works with; studio and path are its own. */
export interface WebhookLab {
  readonly service: SharedService;
  readonly bench: WebhookBench;
  readonly workers: WorkerBench;
  readonly receiver: Receiver;
  readonly studio: Studio;
  /** Of the receiver. */
  readonly path: string;
  /** Delivers what is due, until the test ends. */
  start(): Promise<void>;
  /** An endpoint of the studio, at the path. */
  register(events?: WebhookEventType[]): Promise<{ id: string; secret: string }>;
  /** See `WebhookBench`. */
  deliveries(endpoint_id: string, status?: DeliveryStatus): Promise<WebhookDelivery[]>;
  attempted(endpoint_id: string, times: number): Promise<WebhookDelivery>;
  now(): Date;
  advance(duration_ms: number): void;
  sendTest(endpoint_id: string): Promise<WebhookDelivery>;
  endpointOf(id: string): Promise<WebhookEndpoint | undefined>;
  /** Waits for so many at the path. */
  arrived(times: number): Promise<unknown>;
  /** Waits until anything due has been seen. */
  looksAgain(): Promise<void>;
}

/** Tests about deliveries, on both databases, with workers and a receiver. Once per test file. */
export function onWebhooks(name: string, tests: (lab: WebhookLab) => void): void {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());
  const options = () => ({ fetcher: receiver.fetcher, engines: [createScriptedEngine()] });
  onBothDatabases(name, options, (service) => {
    const bench = createWebhookBench(service);
    const workers = createWorkerBench(service);
    let studio: Studio;
    let path: string;
    let count = 0;
    beforeEach(async () => {
      studio = await service.openStudio('10');
      path = `/hook-${(count += 1)}-${Date.now()}`;
    });
    afterEach(async () => {
      receiver.release();
      await bench.stop();
      await workers.stop();
    });
    const sendTest = async (endpoint_id: string) =>
      (await studio.call('test_webhook_endpoint', { params: { endpoint_id } })).body;
    tests({
      service,
      bench,
      workers,
      sendTest,
      get receiver() {
        return receiver;
      },
      get studio() {
        return studio;
      },
      get path() {
        return path;
      },
      start: () => bench.start(),
      register: (events) => bench.register(studio, receiver.url(path), events),
      deliveries: (endpoint_id, status) => bench.deliveries(studio, endpoint_id, status),
      attempted: (endpoint_id, times) => bench.attempted(studio, endpoint_id, times),
      now: () => service.get().deps.clock.now(),
      advance: (duration_ms) => service.get().deps.clock.advance(duration_ms),
      async endpointOf(id) {
        const { body } = await studio.call('list_webhook_endpoints');
        return body.data.find((endpoint) => endpoint.id === id);
      },
      arrived: (times) => waitFor(`${times} at ${path}`, async () => receiver.at(path).length >= times),
      async looksAgain() {
        // A wake-up looks at every endpoint.
        const other = await bench.register(studio, receiver.url(`${path}/other`));
        await sendTest(other.id);
        await bench.attempted(studio, other.id, 1);
        await studio.call('delete_webhook_endpoint', { params: { endpoint_id: other.id } });
      },
    });
  });
}
