import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { type WebhookReceiver, startWebhookReceiver } from '#server/studio/webhooks/testing/webhook-receiver.ts';
import { type Service, startService } from '../support/service.ts';

export interface DeliveryFigures {
  deliveriesPerSecond: number;
  barePerSecond: number;
  /** From an event to its arrival at a healthy endpoint beside 50 that hang. */
  healthyP99Ms: number;
}

const ENDPOINTS = 10;
const EVENTS_EACH = 60;
const HANGING = 50;
const GENERATIONS = 200;
/** Completes at once, so that the delivery is measured and not the work. */
const requestBody = { task: 'social.search', input: { platform: 'social_a', query: 'cats', limit: 1 } };

/** Measures webhooks of the service, as a process of its own, to receivers in this one. */
export async function measureDeliveries(): Promise<DeliveryFigures> {
  const receiver = await startWebhookReceiver();
  const dir = await mkdtemp(path.join(tmpdir(), 'emulsion-bench-'));
  const ca = path.join(dir, 'ca.pem');
  await writeFile(ca, receiver.certificate.cert);
  const start = () =>
    startService({
      RATE_LIMIT_PER_MINUTE: '1000000',
      ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1/128',
      NODE_EXTRA_CA_CERTS: ca,
    });
  try {
    const barePerSecond = await measureBareClient(receiver, ca);
    const deliveriesPerSecond = await withService(await start(), (service) => burst(service, receiver));
    const healthyP99Ms = await withService(await start(), (service) => measureBesideHanging(service, receiver));
    return { deliveriesPerSecond, barePerSecond, healthyP99Ms };
  } finally {
    receiver.release();
    await receiver.close();
    await rm(dir, { recursive: true });
  }
}

async function withService<T>(service: Service, measure: (service: Service) => Promise<T>): Promise<T> {
  try {
    return await measure(service);
  } finally {
    await service.stop();
  }
}

async function measureBareClient(receiver: WebhookReceiver, ca: string): Promise<number> {
  const file = path.join(import.meta.dirname, 'bare-deliveries.ts');
  const words = [file, receiver.url('/bare'), String(ENDPOINTS * EVENTS_EACH), String(ENDPOINTS * 2)];
  const child = spawn(process.execPath, words, {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: ca },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return Number(await text(child.stdout));
}

async function post<T>(service: Service, pathname: string, body?: unknown): Promise<T> {
  const answer = await fetch(service.url + pathname, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${pathname}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

const register = (service: Service, url: string) =>
  post<{ id: string }>(service, '/v1/webhooks/endpoints', { url, events: ['generation.succeeded'] });

async function waitUntil(what: string, isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Makes many deliveries due at once: the receiver holds the first request of each endpoint until all have arrived. */
async function burst(service: Service, receiver: WebhookReceiver): Promise<number> {
  const paths = Array.from({ length: ENDPOINTS }, (_, index) => `/burst/${index}`);
  const ids: string[] = [];
  for (const at of paths) {
    receiver.defaultBehaviors.set(at, 'hang');
    ids.push((await register(service, receiver.url(at))).id);
  }
  const arrived = () => paths.reduce((sum, at) => sum + receiver.receivedAt(at).length, 0);
  const send = async (id: string) => {
    for (let sent = 0; sent < EVENTS_EACH; sent += 1) await post(service, `/v1/webhooks/endpoints/${id}/test`);
  };
  await Promise.all(ids.map(send));
  const held = arrived();
  for (const at of paths) receiver.defaultBehaviors.set(at, 204);
  const began = performance.now();
  receiver.release();
  await waitUntil('the burst', () => arrived() >= ENDPOINTS * EVENTS_EACH);
  return (ENDPOINTS * EVENTS_EACH - held) / ((performance.now() - began) / 1000);
}

async function measureBesideHanging(service: Service, receiver: WebhookReceiver): Promise<number> {
  await post(service, '/v1/billing/credits', { amount_usd: '1000', description: 'bench' });
  for (let index = 0; index < HANGING; index += 1) {
    receiver.defaultBehaviors.set(`/hangs/${index}`, 'hang');
    await register(service, receiver.url(`/hangs/${index}`));
  }
  await register(service, receiver.url('/healthy'));
  for (let made = 0; made < GENERATIONS; made += 1) await post(service, '/v1/generations', requestBody);
  await waitUntil('every event', () => receiver.receivedAt('/healthy').length >= GENERATIONS);
  const offsetMs = Date.now() - performance.now();
  const delays = receiver
    .receivedAt('/healthy')
    .map(({ event, atMs }) => atMs + offsetMs - Date.parse(event.created_at))
    .sort((a, b) => a - b);
  return delays[Math.floor(GENERATIONS * 0.99)] ?? Number.NaN;
}
