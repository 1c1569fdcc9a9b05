import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { isActive } from '#contract/statuses.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { ServiceProcess } from '#server/app/testing/service-process.ts';

/** What several people and programs do at the same time. */
export interface MixedLoad {
  /** Acknowledged generations. */
  created(): number;
  /** Those that have not been seen to end. */
  open: ReadonlySet<string>;
  /** Reads the state of open generations. */
  followAll(): Promise<void>;
  requests(): number;
  /** 503 and requests without a response, which faults may cause. */
  unavailable(): number;
  /** Every other response that is not a success. */
  problems: readonly string[];
  stop(): Promise<void>;
}

const PAUSE_MS = 150;
/** A client waits for results before it orders more; without a limit, the backlog of a busy machine grows for ever. */
const MAX_OPEN_BY_CLIENT = 3;
const READS = [
  '/v1/generations?limit=50',
  '/v1/generations?q=lighthouse&limit=20',
  '/v1/media?limit=50',
  '/v1/media?q=dusk',
  '/v1/billing/ledger?limit=100',
  '/v1/billing/summary',
  '/v1/billing/ledger.csv',
  '/v1/me',
];
/** A canceled generation may have ended; one that nobody waits for may not have begun. */
const EXPECTED_CONFLICT = 409;

/** Starts `count` clients, spread over the services. */
export async function startMixedLoad(services: readonly ServiceProcess[], count: number): Promise<MixedLoad> {
  const noise = { width: 640, height: 360, channels: 3, noise: { type: 'gaussian', mean: 120, sigma: 40 } } as const;
  const picture = new Uint8Array(
    await sharp({ create: { ...noise, background: '#808080' } })
      .png()
      .toBuffer(),
  );
  const open = new Set<string>();
  let created = 0;
  const problems: string[] = [];
  const stopping = new AbortController();
  let requests = 0;
  let unavailable = 0;

  async function send(service: ServiceProcess, to: string, init: RequestInit = {}): Promise<unknown> {
    requests += 1;
    try {
      const headers = { authorization: `Bearer ${service.key}`, ...init.headers };
      const response = await fetch(service.url(to), { ...init, headers });
      const text = await response.text();
      if (response.ok) return to.endsWith('.csv') ? text : JSON.parse(text);
      if (response.status === 503) unavailable += 1;
      else if (response.status !== EXPECTED_CONFLICT) problems.push(`${to}: ${response.status} ${text}`);
    } catch {
      unavailable += 1;
    }
    return undefined;
  }

  const post = (service: ServiceProcess, to: string, body: unknown) =>
    send(service, to, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify(body),
    });

  async function create(service: ServiceProcess, body: unknown): Promise<string | undefined> {
    const generation = (await post(service, '/v1/generations', body)) as Generation | undefined;
    if (!generation) return undefined;
    created += 1;
    open.add(generation.id);
    return generation.id;
  }

  async function follow(service: ServiceProcess, id: string): Promise<void> {
    const generation = (await send(service, `/v1/generations/${id}`)) as Generation | undefined;
    if (generation && !isActive(generation.status)) open.delete(id);
  }

  async function followOldest(service: ServiceProcess): Promise<void> {
    const [oldest] = open;
    if (oldest === undefined) return;
    await follow(service, oldest);
    // The next turn follows another one.
    if (open.delete(oldest)) open.add(oldest);
  }

  async function upload(service: ServiceProcess): Promise<void> {
    const body = new FormData();
    body.append('file', new Blob([picture]), 'noise.png');
    await send(service, '/v1/uploads', { method: 'POST', body });
  }

  async function uploadHalf(service: ServiceProcess): Promise<void> {
    const signal = AbortSignal.timeout(300);
    const half = async function* () {
      yield picture.subarray(0, picture.length / 2);
      await sleep(2_000, undefined, { signal }).catch(() => undefined);
    };
    const init = { method: 'POST', body: half(), duplex: 'half', signal } as unknown as RequestInit;
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'multipart/form-data; boundary=half' };
    await fetch(service.url('/v1/uploads'), { ...init, headers }).catch(() => undefined);
  }

  const prompt = (turn: number) => ({ prompt: `a lighthouse at dusk, number ${turn}` });
  const pictureOrder = (turn: number) => ({ task: 'image.create', model: 'imgmodel-b-2-lite', input: prompt(turn) });

  async function act(service: ServiceProcess, turn: number): Promise<void> {
    if (turn % 40 === 6) return upload(service);
    if (turn % 40 === 26) return uploadHalf(service);
    if (turn % 40 === 38) return void (await send(service, '/v1/session', { method: 'POST' }));
    if (turn % 40 === 18) return void (await send(service, '/v1/sign-in-tokens', { method: 'POST' }));
    if (turn % 4 === 3 || open.size >= count * MAX_OPEN_BY_CLIENT) return followOldest(service);
    if (turn % 40 === 20) {
      const id = await create(service, pictureOrder(turn));
      if (id !== undefined) await post(service, `/v1/generations/${id}/cancel`, {});
      return;
    }
    if (turn % 4 === 0) return void (await create(service, pictureOrder(turn)));
    if (turn % 4 === 1) return void (await post(service, '/v1/estimate', pictureOrder(turn)));
    await send(service, READS[Math.floor(turn / 4) % READS.length] ?? '/v1/me');
  }

  const clients = Array.from({ length: count }, async (_, index) => {
    const service = services[index % services.length];
    if (!service) return;
    for (let turn = index * 3; !stopping.signal.aborted; turn += 1) {
      await act(service, turn);
      await sleep(PAUSE_MS);
    }
  });
  return {
    created: () => created,
    open,
    problems,
    requests: () => requests,
    unavailable: () => unavailable,
    async followAll() {
      const [service] = services;
      if (service) await Promise.all([...open].map((id) => follow(service, id)));
    },
    async stop() {
      stopping.abort();
      await Promise.all(clients);
    },
  };
}
