import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Estimate } from '#contract/money/estimate.ts';
import { type ModelCatalog } from '#contract/model-catalog.ts';
import { extractReferences, type InputReference } from '#contract/task-input.ts';
import { formatUsd } from '#contract/money/money.ts';
import type { BatchEstimate, BatchEstimateCreate, BatchOrderCreate, OrderError } from '#contract/resources/batch.ts';
import { MEDIA_GONE_MESSAGE, findManyStoredMedia, isLocalMediaUrl } from '#server/studio/assets/find-stored-media.ts';
import { parseLocalMediaUrl } from '#server/studio/assets/media-links.ts';
import { assertTagsAllowed } from '#server/models/added-models/added-models.ts';
import { type ValidatedRequest, validateRequest } from '#server/models/catalog/validate-request.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { ownMediaOrigin } from '#server/platform/core/settings/config.ts';
import type { Deps } from '#server/platform/deps.ts';
import { assertMediaRules, priceMeasured } from '#server/studio/generations/create/price-request.ts';
import type { MediaFacts } from '#server/studio/generations/create/validate-media.ts';
import { assertInScope } from '#server/accounts/keys/assert-in-scope.ts';
import { createTagReader } from '#server/accounts/tags/read-tag-values.ts';
import { toOrderError } from './order-error.ts';
import { withBatchMetadata } from './order-metadata.ts';

export type OrderEstimate = { price: Estimate; error: null } | { price: null; error: OrderError };

/** Orders are validated this many at a time, so that other requests are served in between. */
const SLICE = 50;
const MAX_IDS_PER_QUERY = 1000;

/** Validates and prices orders one by one. Decision: Batches @throws {ApiError} 422 */
export async function estimateBatch(
  deps: Deps,
  caller: Caller,
  { orders, metadata }: BatchEstimateCreate,
): Promise<BatchEstimate> {
  const estimates = await estimateOrders(deps, caller, withBatchMetadata(orders, metadata));
  const valid = estimates.filter(({ error }) => error === null);
  return {
    object: 'batch_estimate',
    currency: 'usd',
    orders: estimates.map(({ price, error }) => ({
      amount_usd: price && formatUsd(price.amount_micro_usd),
      basis: price && price.basis,
      error,
    })),
    amount_usd: formatUsd(sumEstimates(estimates)),
    valid_count: valid.length,
    invalid_count: estimates.length - valid.length,
  };
}

export const sumEstimates = (estimates: readonly OrderEstimate[]): bigint =>
  estimates.reduce((sum, { price }) => sum + (price?.amount_micro_usd ?? 0n), 0n);

/** In the same order. Loads no media of other servers, and looks up those of the organization together. */
export async function estimateOrders(
  deps: Deps,
  caller: Caller,
  orders: readonly BatchOrderCreate[],
): Promise<OrderEstimate[]> {
  const readTags = await createTagReader(deps.db, caller);
  const validated = await mapInSlices(orders, (order) =>
    catchProblem(() => {
      const request = validateRequest(deps, ownMediaOrigin(deps.config), caller, order);
      assertInScope(caller, request);
      assertTagsAllowed(deps.offering.current(), request.model, readTags(order.metadata));
      return { request, references: extractReferences(request.contract, request.input) };
    }),
  );
  const findFacts = await readOwnMedia(
    deps,
    caller.organization_id,
    validated.flatMap(({ value }) => value?.references ?? []),
  );
  const catalog = deps.offering.current();
  return mapInSlices(validated, ({ value, error }) => {
    if (!value) return { price: null, error };
    const priced = catchProblem(() => priceWithMedia(catalog, value.request, value.references, findFacts));
    return priced.value ? { price: priced.value, error: null } : { price: null, error: priced.error };
  });
}

type Attempt<T> = { value: T; error: null } | { value: null; error: OrderError };

function catchProblem<T>(act: () => T): Attempt<T> {
  try {
    return { value: act(), error: null };
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return { value: null, error: toOrderError(error) };
    throw error;
  }
}

async function mapInSlices<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    results.push(map(item));
    if (index % SLICE === SLICE - 1) await nextTurn();
  }
  return results;
}

/** null: own media that are gone; undefined: media of another server. */
type FindFacts = (url: string) => MediaFacts | null | undefined;

async function readOwnMedia(
  deps: Deps,
  organizationId: string,
  references: readonly InputReference[],
): Promise<FindFacts> {
  const own = new Map<string, string | null>();
  for (const { url } of references)
    if (!own.has(url) && isLocalMediaUrl(deps.config, url)) own.set(url, parseLocalMediaUrl(deps, url)?.id ?? null);
  const ids = [...new Set([...own.values()].filter((id) => id !== null))];
  const facts = new Map<string, MediaFacts>();
  for (let at = 0; at < ids.length; at += MAX_IDS_PER_QUERY) {
    const found = await findManyStoredMedia(deps.db, organizationId, ids.slice(at, at + MAX_IDS_PER_QUERY));
    for (const [id, medium] of found) facts.set(id, { ...medium, kind: medium.type });
  }
  return (url) => {
    const id = own.get(url);
    return id === undefined ? undefined : (id !== null && facts.get(id)) || null;
  };
}

function priceWithMedia(
  catalog: ModelCatalog,
  request: ValidatedRequest,
  references: readonly InputReference[],
  findFacts: FindFacts,
): Estimate {
  const known = new Map<string, MediaFacts>();
  for (const { path, url } of references) {
    const facts = findFacts(url);
    if (facts === null) throw mediaGoneError(path);
    if (facts) known.set(path, facts);
  }
  assertMediaRules(request, references, known);
  return priceMeasured(catalog, request, known);
}

const mediaGoneError = (path: string) =>
  new ApiError('invalid_request', MEDIA_GONE_MESSAGE, {
    status: 400,
    details: [{ path: `input.${path}`, message: MEDIA_GONE_MESSAGE }],
  });
