import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { WebhookDelivery, WebhookEndpoint, WebhookEventType } from '#contract/resources/webhook.ts';
import type { DeliveryStatus } from '#contract/statuses.ts';
import {
  type SharedService,
  type TestOrganization,
  describeOnBothDatabases,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { type WorkerFixture, createWorkerFixture } from '#server/studio/generations/testing/worker-fixture.ts';
import { type WebhookReceiver, startWebhookReceiver } from './webhook-receiver.ts';
import { type DelivererFixture, createDelivererFixture } from './deliverer-fixture.ts';

interface WebhookFixture {
  readonly service: SharedService;
  readonly deliverer: DelivererFixture;
  readonly workers: WorkerFixture;
  readonly receiver: WebhookReceiver;
  readonly organization: TestOrganization;
  readonly path: string;
  start(): Promise<void>;
  register(events?: WebhookEventType[]): Promise<{ id: string; secret: string }>;
  listDeliveries(endpoint_id: string, status?: DeliveryStatus): Promise<WebhookDelivery[]>;
  waitForAttempts(endpoint_id: string, times: number): Promise<WebhookDelivery>;
  now(): Date;
  advance(duration_ms: number): void;
  sendTest(endpoint_id: string): Promise<WebhookDelivery>;
  readEndpoint(id: string): Promise<WebhookEndpoint | undefined>;
  waitForArrivals(times: number): Promise<unknown>;
  /** Waits until every delivery that is due now has been polled. */
  waitForNextPoll(): Promise<void>;
}

/** Runs tests on both databases. Use it once per test file. */
export function describeWebhooks(name: string, tests: (fixture: WebhookFixture) => void): void {
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
  });
  afterAll(() => receiver.close());
  const options = () => ({ fetcher: receiver.fetcher, engines: [createScriptedEngine()] });
  describeOnBothDatabases(name, options, (service) => {
    const deliverer = createDelivererFixture(service);
    const workers = createWorkerFixture(service);
    let organization: TestOrganization;
    let path: string;
    let count = 0;
    beforeEach(async () => {
      organization = await service.createOrganization('10');
      path = `/hook-${(count += 1)}-${Date.now()}`;
    });
    afterEach(async () => {
      receiver.release();
      await deliverer.stop();
      await workers.stop();
    });
    const sendTest = async (endpoint_id: string) =>
      (await organization.call('test_webhook_endpoint', { params: { endpoint_id } })).body;
    tests({
      service,
      deliverer,
      workers,
      sendTest,
      get receiver() {
        return receiver;
      },
      get organization() {
        return organization;
      },
      get path() {
        return path;
      },
      start: () => deliverer.start(),
      register: (events) => deliverer.register(organization, receiver.url(path), events),
      listDeliveries: (endpoint_id, status) => deliverer.listDeliveries(organization, endpoint_id, status),
      waitForAttempts: (endpoint_id, times) => deliverer.waitForAttempts(organization, endpoint_id, times),
      now: () => service.get().deps.clock.now(),
      advance: (duration_ms) => service.get().deps.clock.advance(duration_ms),
      async readEndpoint(id) {
        const { body } = await organization.call('list_webhook_endpoints');
        return body.data.find((endpoint) => endpoint.id === id);
      },
      waitForArrivals: (times) => waitFor(`${times} at ${path}`, async () => receiver.receivedAt(path).length >= times),
      async waitForNextPoll() {
        // A job polls every endpoint.
        const other = await deliverer.register(organization, receiver.url(`${path}/other`));
        await sendTest(other.id);
        await deliverer.waitForAttempts(organization, other.id, 1);
        await organization.call('delete_webhook_endpoint', { params: { endpoint_id: other.id } });
      },
    });
  });
}
