import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import { createAtom } from '@tanstack/react-store';
import type { BudgetExceeded, ErrorDetail } from '#contract/api/errors.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { OrderRequest } from '#contract/resources/request.ts';
import { ApiError, NetworkError } from '#web/api/api-errors.ts';
import {
  cacheNewGenerations,
  createGeneration,
  createTogether,
  type GenerationRequest,
  retryGeneration,
} from '#web/api/queries/generations.ts';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';
import { onSessionChange } from '#web/api/session/session.ts';
import { createTabStorage } from '#web/api/tab-storage.ts';
import { tagMetadata } from '#web/forms/tags/tag-metadata.ts';

type OrderBody = GenerationRequest['body'];

/**
 * What was ordered here and is no generation yet: on its way, refused, without a response, or waiting for approval. Once
 * the service has accepted it, the list of generations has it. This tab stores it as JSON.
 */
export interface PendingOrder {
  /** Equals the idempotency key of the request, unless it was sent together with others. */
  id: string;
  idempotencyKey: string;
  body: OrderBody;
  startedAtMs: number;
  problem: OrderProblem | null;
  /** The generation that it retries. */
  retryOf?: string;
  /** The request for an approval that it waits for. */
  requestId?: string;
  /** Shared by orders that were started side by side. */
  group?: string;
  /** The group is one request: all of its orders start, or none. */
  isTogether?: true;
}

export interface OrderProblem {
  code: string;
  message: string;
  /** The service may have accepted the request: a retry uses the same key. */
  isUnsure: boolean;
  budget?: BudgetExceeded;
}

interface OrderState {
  /** Oldest first. */
  orders: readonly PendingOrder[];
  /** Orders and generations that are shown large, side by side. */
  openIds: readonly string[];
}

const MAX_ORDERS = 64;
const storedOrders = createTabStorage<PendingOrder>('emulsion.orders', MAX_ORDERS);
const storedView = createTabStorage<readonly string[]>('emulsion.open-results', 1);
/** The group of generations that were started side by side, which the service does not know. */
const groups = createTabStorage<string>('emulsion.side-by-side', MAX_ORDERS);

export const orderStore = createAtom<OrderState>({
  orders: storedOrders.values().map(restoreOrder),
  openIds: storedView.get('ids') ?? [],
});

/** Restores an order whose request had no response when the page was closed. */
function restoreOrder(order: PendingOrder): PendingOrder {
  if (order.problem || order.requestId) return order;
  const message = 'The page was closed before the service responded.';
  return { ...order, problem: { code: 'unsure', message, isUnsure: true } };
}

onSessionChange((state) => {
  // Another person may sign in on this tab.
  if (state === 'signed_out') orderStore.set({ orders: [], openIds: [] });
});

export const groupOf = (generationId: string): string | undefined => groups.get(generationId);

export function openResults(openIds: readonly string[]): void {
  storedView.set('ids', openIds);
  orderStore.set(({ orders }) => ({ orders, openIds }));
}

export const closeResults = (): void => openResults([]);

function updateOrders(ids: ReadonlySet<string>, change: Partial<PendingOrder>): PendingOrder[] {
  const { orders, openIds } = orderStore.get();
  const changed = orders.map((order) => (ids.has(order.id) ? { ...order, ...change } : order));
  for (const order of changed) storedOrders.replace(order.id, order);
  orderStore.set({ orders: changed, openIds });
  return changed.filter(({ id }) => ids.has(id));
}

/** Puts others in the place of orders, or the generations with these ids. */
function replaceOrders(orders: readonly PendingOrder[], others: readonly PendingOrder[], ids: readonly string[]): void {
  const nextId = new Map(orders.map(({ id }, at) => [id, ids[at]]));
  const { orders: known, openIds } = orderStore.get();
  for (const { id } of orders) storedOrders.delete(id);
  for (const order of others) storedOrders.set(order.id, order);
  orderStore.set({ orders: [...known.filter(({ id }) => !nextId.has(id)), ...others].slice(-MAX_ORDERS), openIds });
  openResults(openIds.flatMap((id) => (nextId.has(id) ? (nextId.get(id) ?? []) : id)));
}

export const removeOrders = (orders: readonly PendingOrder[]): void => replaceOrders(orders, [], []);

/** Notes that the service has accepted orders. */
export function completeOrders(orders: readonly PendingOrder[], generationIds: readonly string[]): void {
  for (const [at, { group }] of orders.entries()) {
    const id = generationIds[at];
    if (group !== undefined && id !== undefined) groups.set(id, group);
  }
  replaceOrders(orders, [], generationIds);
}

const idsOf = (orders: readonly PendingOrder[]): Set<string> => new Set(orders.map(({ id }) => id));

export const awaitApproval = (orders: readonly PendingOrder[], requestId: string): unknown =>
  updateOrders(idsOf(orders), { problem: null, requestId });

/** What to ask an approval for: the batch, the retry, or the generation itself. */
export function approvalOf(orders: readonly PendingOrder[]): OrderRequest {
  const [first] = orders;
  if (!first) throw new Error('There is nothing to ask an approval for.');
  if (first.isTogether) return { type: 'batch', batch: { mode: 'together', orders: orders.map(({ body }) => body) } };
  if (first.retryOf) return { type: 'generation_retry', generation_id: first.retryOf };
  return { type: 'generation', generation: { model: null, metadata: null, ...first.body } };
}

/** A request without a response is sent again with its idempotency key. */
const sendMutation = mutationOptions({
  mutationFn: async (orders: readonly PendingOrder[]): Promise<readonly Generation[]> => {
    const [first] = orders;
    if (!first) return [];
    const { body, idempotencyKey, retryOf, isTogether } = first;
    if (isTogether)
      return createTogether(
        orders.map((order) => order.body),
        idempotencyKey,
      );
    if (retryOf) return [await retryGeneration({ id: retryOf, idempotency_key: idempotencyKey })];
    return [await createGeneration({ body, idempotency_key: idempotencyKey })];
  },
  networkMode: 'always',
});

export function toOrderProblem(error: unknown): OrderProblem {
  if (error instanceof ApiError) {
    const { code, message, status, budget } = error;
    return { code, message, isUnsure: status >= 500, ...(budget ? { budget } : {}) };
  }
  const message = error instanceof Error ? error.message : 'The request could not be sent.';
  return { code: 'network', message, isUnsure: error instanceof NetworkError };
}

interface StartOptions {
  /** Called with the details of a validation error instead of showing it as a result. */
  onInvalid?: ((details: readonly ErrorDetail[]) => void) | undefined;
}

/** Sends orders as one request and notes its outcome. */
async function send(client: QueryClient, orders: readonly PendingOrder[], { onInvalid }: StartOptions): Promise<void> {
  try {
    const mutation = client.getMutationCache().build(client, client.defaultMutationOptions(sendMutation));
    const generations = await mutation.execute(orders);
    await cacheNewGenerations(client, generations);
    completeOrders(
      orders,
      generations.map(({ id }) => id),
    );
  } catch (error) {
    if (error instanceof ApiError && error.details.length > 0 && onInvalid) {
      removeOrders(orders);
      onInvalid(error.details.map(({ path, message }) => ({ path: path.replace(/^orders\.\d+\./, ''), message })));
      return;
    }
    updateOrders(idsOf(orders), { problem: toOrderProblem(error) });
  }
}

type OrderOrigin = Pick<PendingOrder, 'group' | 'retryOf' | 'isTogether'>;

function newOrders(bodies: readonly OrderBody[], origin: OrderOrigin = {}): PendingOrder[] {
  const shared = newIdempotencyKey();
  return bodies.map((body, at) => {
    const idempotencyKey = origin.isTogether || bodies.length === 1 ? shared : newIdempotencyKey();
    return {
      id: origin.isTogether ? `${idempotencyKey}-${at}` : idempotencyKey,
      idempotencyKey,
      body: { ...tagMetadata(), ...body },
      startedAtMs: Date.now(),
      problem: null,
      ...(bodies.length > 1 && { group: shared }),
      ...origin,
    };
  });
}

function start(client: QueryClient, orders: readonly PendingOrder[], options: StartOptions = {}): void {
  replaceOrders([], orders, []);
  openResults(orders.map(({ id }) => id));
  const requests = orders[0]?.isTogether ? [orders] : orders.map((order) => [order]);
  for (const request of requests) void send(client, request, options);
}

export const startOrder = (client: QueryClient, body: OrderBody, options?: StartOptions): void =>
  start(client, newOrders([body]), options);

/** Each has its own idempotency key, so that they succeed or fail independently. */
export const startSideBySide = (client: QueryClient, bodies: readonly OrderBody[]): void =>
  start(client, newOrders(bodies));

/** Starts orders in one request: all of them or none. */
export const startTogether = (client: QueryClient, bodies: readonly OrderBody[], options?: StartOptions): void =>
  start(client, newOrders(bodies, { isTogether: true }), options);

/** Retries a generation, beside the others where several are open. */
export function startRetry(client: QueryClient, { id, task, model, input, batch_id }: Generation): void {
  const { openIds } = orderStore.get();
  const group = groupOf(id) ?? batch_id;
  const orders = newOrders([{ task, model, input }], { retryOf: id, ...(group ? { group } : {}) });
  start(client, orders);
  if (openIds.length > 1) openResults([...openIds, ...idsOf(orders)]);
}

/** Sends orders with a problem again: with the same key if the service may have accepted them, else as new ones. */
export function retryOrders(client: QueryClient, orders: readonly PendingOrder[]): void {
  const ids = idsOf(orders);
  // A second press finds none.
  const failed = orderStore.get().orders.filter(({ id, problem }) => problem && ids.has(id));
  const [first] = failed;
  if (!first) return;
  if (first.problem?.isUnsure) return void send(client, updateOrders(ids, { problem: null }), {});
  const { group, retryOf, isTogether } = first;
  const origin = { ...(group && { group }), ...(retryOf && { retryOf }), ...(isTogether && { isTogether }) };
  const again = newOrders(
    failed.map(({ body }) => body),
    origin,
  );
  replaceOrders(failed, again, [...idsOf(again)]);
  void send(client, again, {});
}
