import { join } from 'node:path';
import { type Estimate, estimate } from '#contract/estimate.ts';
import type { SyncMode } from '#contract/tasks/video-lipsync.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { busyError } from '../media-busy.ts';
import { MediaError } from '../media/media-error.ts';
import { knownFailure } from './failure.ts';
import { type FetchingReferences, fetchReference } from './fetch-reference.ts';
import { type KnownMedium, lengthsOf, mediaProblem } from './media-rules.ts';
import type { Order } from './order.ts';
import { GONE_MESSAGE, findOwnMedium } from './own-media.ts';
import { type Reference, referencesOf } from './references.ts';
import { withScratchFolder } from './scratch.ts';

export type Pricing = FetchingReferences & Pick<Deps, 'db' | 'clock' | 'config' | 'secrets' | 'prices'>;

/** For all media that decide one price together. Decision: Prices */
const FETCH_MS = 15_000;

/**
 * The price of an order, after judging what needs the media themselves. Where their length decides it, own media are
 * looked up and others fetched, for at most 15 s. Decision: Prices
 * @throws {ApiError} 400 `invalid_request`
 */
export async function priceOrder(
  deps: Pricing,
  organization_id: string,
  order: Order,
  signal?: AbortSignal,
): Promise<Estimate> {
  const references = referencesOf(order.contract, order.input);
  const known = new Map<string, KnownMedium>();
  for (const { path, url } of references) {
    const found = await findOwnMedium(deps, organization_id, url);
    if (!found.own) continue;
    if (!found.medium) refuse(path, GONE_MESSAGE);
    known.set(path, { kind: found.medium.type, duration_seconds: found.medium.duration_seconds });
  }
  assertMediaRules(order, references, known);
  const missing = references.filter(({ path }) => decidesPrice(order, path) && !known.has(path));
  if (missing.length > 0) {
    const download_signal = AbortSignal.any([AbortSignal.timeout(FETCH_MS), ...(signal ? [signal] : [])]);
    const options = { owner: organization_id, is_request: true, download_signal, signal };
    for (const reference of missing) known.set(reference.path, await measure(deps, reference, options));
    assertMediaRules(order, references, known);
  }
  return estimate(deps.prices, order.task, order.model, order.input, lengthsOf(known));
}

const LIPSYNC_LENGTHS = {
  cut_off: ['video', 'audio'],
  silence: ['video'],
  loop: ['audio'],
  bounce: ['audio'],
  remap: ['audio'],
} as const satisfies Record<SyncMode, readonly string[]>;

/** Whether the length of the reference at this path is part of the price. Decision: Prices */
function decidesPrice({ task, input }: Order, path: string): boolean {
  if (task === 'video.edit') return path === 'video';
  if (task !== 'video.lipsync') return false;
  return LIPSYNC_LENGTHS[input['sync_mode'] as SyncMode].some((name) => name === path);
}

type Measuring = Parameters<typeof fetchReference>[3];

async function measure(deps: Pricing, reference: Reference, options: Measuring): Promise<KnownMedium> {
  try {
    return await withScratchFolder(deps.config.media_dir, async (folder) => {
      return fetchReference(deps, reference.url, join(folder, 'medium'), options);
    });
  } catch (error) {
    if (error instanceof MediaError && error.code === 'busy') throw busyError(error);
    if (options.download_signal.aborted) refuse(reference.path, 'The file could not be fetched in time.', error);
    const failure = knownFailure(error);
    if (!failure) throw error;
    return refuse(reference.path, failure.message, error);
  }
}

/** @throws {ApiError} 400 `invalid_request` where the input, or what is known of its media, breaks a rule of the task */
export function assertMediaRules(
  order: Pick<Order, 'task' | 'input'>,
  references: readonly Reference[],
  known: ReadonlyMap<string, KnownMedium>,
): void {
  const problem = mediaProblem(order.task, order.input, references, known);
  if (problem) refuse(problem.path, problem.message);
}

/** @param path below `input` */
function refuse(path: string, message: string, cause?: unknown): never {
  throw new ApiError('invalid_request', message, {
    status: 400,
    details: [{ path: `input.${path}`, message }],
    cause,
  });
}
