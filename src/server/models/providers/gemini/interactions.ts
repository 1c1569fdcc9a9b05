import * as z from 'zod/mini';
import { EngineError } from '#server/models/engine/engine.ts';
import { saveOutputs, type UpstreamOutput } from '#server/models/engine/save-outputs.ts';
import { chargedWork, toUpstreamCost, withJobCost } from '#server/models/engine/job-cost.ts';
import { contentRefusedError, toSentence } from '#server/models/engine/upstream-errors.ts';
import { isNotFoundError, type UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import {
  type PolledJob,
  unreadableResponseError,
  type UpstreamHandle,
  type UpstreamState,
} from '#server/models/engine/upstream.ts';
import {
  computeOmniCost,
  type Interaction,
  interactionSchema,
  type OmniPrices,
  type VideoContent,
} from './interaction-schema.ts';
import { buildOmniRequest, type OmniJob } from './omni-request.ts';

export interface OmniModel {
  model: string;
  prices: OmniPrices;
}

const SUBMIT_TIMEOUT_MS = 10 * 60_000;
const MAX_RESPONSE_BYTES = 64 * 1_048_576;
const handleSchema = z.object({ interaction_id: z.string() });
const pathOf = (handle: UpstreamHandle): string =>
  `/interactions/${encodeURIComponent(handleSchema.parse(handle).interaction_id)}`;

export async function submitInteraction(http: UpstreamHttp, model: OmniModel, job: OmniJob): Promise<UpstreamState> {
  const json = await buildOmniRequest(model.model, job);
  const request = { method: 'POST', json, signal: job.signal, timeoutMs: SUBMIT_TIMEOUT_MS };
  return acceptedState(parseInteraction(await http.requestJson('/interactions', request)));
}

/** @throws {EngineError} {UpstreamBusyError} {ResponseLostError} */
export async function pollInteraction(
  http: UpstreamHttp,
  { prices }: OmniModel,
  maxOutputBytes: number,
  job: PolledJob,
  handle: UpstreamHandle,
): Promise<UpstreamState> {
  const request = { signal: job.signal, maxResponseBytes: MAX_RESPONSE_BYTES };
  const response = await http.requestJson(pathOf(handle), request).catch((error: unknown) => {
    if (isUnknownInteraction(error)) return null;
    throw error;
  });
  if (response === null)
    return { status: 'unclear', reason: 'The provider no longer has this interaction.', result: null };
  const interaction = parseInteraction(response);
  const { status } = interaction;
  if (status === 'queued' || status === 'in_progress') return acceptedState(interaction);
  const cost = toUpstreamCost(computeOmniCost(prices, interaction), 'computed');
  const completion = { cost_micro_usd: null, ...cost };
  if (status !== 'completed') throw withJobCost(interactionError(interaction, http.redact), cost);
  const video = interaction.videos.at(-1);
  if (!video) {
    const text = http.redact(interaction.text);
    if (text) throw withJobCost(contentRefusedError(text), cost);
    const reason =
      'The provider reported success but returned no video. Google does not offer every use of uploads in Europe.';
    return { status: 'unclear', reason, result: null, ...completion };
  }
  try {
    const output = await chargedWork(cost, () => prepareFile(http, video, job.signal));
    if (output === null) return { ...acceptedState(interaction), ...PREPARING };
    const files = await chargedWork(cost, () => saveOutputs(http, [output], job, maxOutputBytes));
    return { status: 'succeeded', result: { files, data: null }, ...completion };
  } catch (error) {
    if (!isNotFoundError(error)) throw error;
    return { status: 'unclear', reason: 'The provider no longer has the video.', result: null, ...completion };
  }
}

/** Does nothing to an interaction that is complete or unknown. */
export async function cancelInteraction(
  http: UpstreamHttp,
  handle: UpstreamHandle,
  signal: AbortSignal,
): Promise<void> {
  try {
    await http.requestVoid(`${pathOf(handle)}/cancel`, { method: 'POST', json: {}, signal });
  } catch (error) {
    const isOver = error instanceof EngineError && error.code === 'engine_failed';
    if (!isOver && !isUnknownInteraction(error)) throw error;
  }
}

const PREPARING = { provider_status: { queue_position: null, stage: 'Preparing the file' } };
const STAGES: Readonly<Record<string, string>> = { queued: 'Queued', in_progress: 'Generating' };

const acceptedState = ({ id, status }: Interaction) =>
  ({
    status: 'accepted',
    handle: { interaction_id: id },
    progress: null,
    provider_status: { queue_position: null, stage: STAGES[status] ?? null },
  }) as const satisfies UpstreamState;

function parseInteraction(response: unknown): Interaction {
  const { data, error } = interactionSchema.safeParse(response);
  if (data) return data;
  throw unreadableResponseError(error);
}

/** The API answers 400 “Invalid interaction name” for an id that it does not know. */
const isUnknownInteraction = (error: unknown): boolean =>
  isNotFoundError(error) || (error instanceof EngineError && /invalid interaction name/i.test(error.message));

function interactionError({ status, problems }: Interaction, redact: (text: string) => string): EngineError {
  if (status === 'cancelled') return new EngineError('engine_failed', 'The job was canceled at the provider.');
  const [problem] = problems;
  const sentence = problem?.message ? redact(problem.message) : null;
  const cause = new Error(`The interaction is ${status}: ${redact(problem?.code ?? 'no code')} ${sentence ?? ''}`);
  if (/safety|prohibited|blocked|content_filter|policy/i.test(`${problem?.code} ${problem?.message}`))
    return contentRefusedError(sentence, cause);
  const message = sentence
    ? `The provider could not create the video: ${toSentence(sentence)}`
    : 'The provider could not create the video.';
  return new EngineError('engine_failed', message, { retryable: status === 'failed', cause });
}

const fileSchema = z.object({ state: z.nullish(z.string()) });

/** @returns null while the Files API still processes the video @throws {EngineError}; like `requestJson` */
async function prepareFile(
  http: UpstreamHttp,
  video: VideoContent,
  signal: AbortSignal,
): Promise<UpstreamOutput | null> {
  if ('base64' in video) return video;
  const [, name] = /^(files\/[\w-]{1,100})(?:[:?]|$)/.exec(video.uri.slice(video.uri.indexOf('/files/') + 1)) ?? [];
  if (name === undefined) return { url: video.uri };
  const { data } = fileSchema.safeParse(await http.requestJson(`/${name}`, { signal }));
  if (data?.state === 'PROCESSING') return null;
  if (data?.state === 'FAILED') throw new EngineError('engine_failed', 'The provider could not prepare the video.');
  return { url: `/${name}:download?alt=media` };
}
