import { MAX_TOGETHER_ORDERS } from '#contract/limits.ts';
import { isJson, type Json } from '#contract/json-value.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { CompatCall } from '#server/http/compat/compat-adapter.ts';
import { findNamedModels, type NamedModel } from '#server/http/compat/model-names.ts';
import { isEmpty } from '#server/http/compat/parameter-rules.ts';
import { refuseParameter, toTaskInput } from '#server/http/compat/compat-input.ts';
import { cutName } from '#server/platform/core/cut-text.ts';
import { checkReceiver } from '#server/studio/webhooks/check-receiver.ts';
import { FAL_RULES, namesSource } from './fal-parameters.ts';
import { hashRequest, placeOrJoin } from '#server/http/compat/lost-orders.ts';
import { placeOnce } from '#server/http/compat/place-once.ts';

/** `emulsion/<our id>` beside fal's own names. */
const OWN_PREFIX = 'emulsion/';
const WEBHOOK = 'fal_webhook';

export interface PlacedRequest {
  orders: Generation[];
  /** Where the result is sent; null: nowhere. */
  webhook: string | null;
}

/**
 * Places what a request to an endpoint of fal asks for.
 * @throws {ApiError} 404 for an unknown endpoint; 422 that names a parameter, query parameter or header; as `placeOrders`
 */
export async function placeRequest(call: CompatCall, endpoint: string): Promise<PlacedRequest> {
  refuseHeaders(call);
  for (const name of Object.keys(call.query))
    if (name !== WEBHOOK) refuseParameter(name, `The query parameter ${cutName(name)} is not supported here.`);
  const parameters = call.body ?? {};
  if (!isJson(parameters)) refuseParameter('', 'Send the input as a JSON object.');
  const named = findEndpoint(call, endpoint, parameters);
  const { num_images, ...others } = parameters;
  const hasCount = named.contract.fields.some(({ name }) => name === 'num_images');
  const count = hasCount || isEmpty(num_images) ? 1 : readCount(num_images);
  const webhook = call.query[WEBHOOK] || null;
  if (webhook !== null) await assertReceiver(call, webhook, count);
  const build = () => buildOrder(call, named, hasCount ? parameters : others);
  const orders = await placeOrJoin(call, () =>
    placeOnce(call, { api: 'fal', fingerprint: hashRequest(call), count, build }),
  );
  return { orders, webhook };
}

function findEndpoint({ deps, caller }: CompatCall, endpoint: string, parameters: Json): NamedModel {
  const name = endpoint.startsWith(OWN_PREFIX) ? endpoint.slice(OWN_PREFIX.length) : endpoint;
  const found = findNamedModels(deps, caller, name);
  return found.find(({ contract }) => namesSource(contract, parameters)) ?? found[0];
}

async function buildOrder(call: CompatCall, { task, model, contract }: NamedModel, parameters: Json) {
  const { input, nameParameters } = await toTaskInput(call, contract, parameters, FAL_RULES);
  return { order: { task, model, input, metadata: call.metadata }, nameParameters };
}

function readCount(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_TOGETHER_ORDERS) return value;
  return refuseParameter('num_images', `num_images must be a whole number from 1 to ${MAX_TOGETHER_ORDERS}.`);
}

/** Headers that ask for what happens anyway, or are hints. */
const ACCEPTED_HEADERS: Readonly<Record<string, (value: string) => boolean>> = {
  'x-fal-target-url': () => true,
  'x-fal-client-proxy': () => true,
  'x-fal-runner-hint': () => true,
  // Nothing here waits for a free runner, and a failed order is not repeated with another charge.
  'x-fal-request-timeout': () => true,
  'x-fal-no-retry': () => true,
  'x-fal-queue-priority': (value) => value === 'normal',
};

/** @throws {ApiError} 422 that names the header */
function refuseHeaders({ request }: Pick<CompatCall, 'request'>): void {
  for (const [name, value] of Object.entries(request.headers))
    if (name.startsWith('x-fal-') && !isEmpty(value) && !ACCEPTED_HEADERS[name]?.(String(value)))
      refuseParameter(name, `The header ${cutName(name)} asks for something that is not supported here. Leave it out.`);
}

async function assertReceiver({ deps }: CompatCall, url: string, count: number): Promise<void> {
  if (count > 1) refuseParameter(WEBHOOK, 'A webhook is possible for one image per request. Leave num_images out.');
  if (url.length > 2_048) refuseParameter(WEBHOOK, `${WEBHOOK} must have at most 2,048 characters.`);
  await checkReceiver(deps.fetcher, url, WEBHOOK);
}
