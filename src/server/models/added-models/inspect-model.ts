import type { NormalizedModel } from '#contract/added-models/fields/normalize-schema.ts';
import { SchemaError } from '#contract/added-models/schema-error.ts';
import { suggestPrice } from '#contract/added-models/prices/suggest-price.ts';
import { suggestTask } from '#contract/added-models/suggest-task.ts';
import { isJson, type Json } from '#contract/json-value.ts';
import type { ModelInspection, ModelListing, ModelProvider, ModelSource } from '#contract/resources/added-model.ts';
import { describeProviderFailure, isProviderError } from '#server/models/connections/check-provider.ts';
import { openConnection } from '#server/models/connections/connection-engines.ts';
import { revealKey } from '#server/models/connections/connection-key.ts';
import { findConnection, readConnections, type StoredConnection } from '#server/models/connections/connections.ts';
import { EngineError } from '#server/models/engine/engine.ts';
import type {
  AddedModelSource,
  ModelAddress,
  ModelSnapshot,
  ReadModel,
} from '#server/models/providers/added-source.ts';
import type { ProviderPreset } from '#server/models/providers/preset.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';
import { findPreset } from '#server/models/providers/presets.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Deps } from '#server/platform/deps.ts';

const TIMEOUT_MS = 30_000;
const MAX_NAME_CHARACTERS = 60;
const MAX_DESCRIPTION_CHARACTERS = 500;

export interface InspectedModel extends ReadModel {
  connection: StoredConnection;
  snapshot: ModelSnapshot;
}

export const invalidModel = (path: string, message: string, cause?: unknown): ApiError =>
  new ApiError('invalid_request', message, { status: 422, details: [{ path, message }], cause });

interface OpenedSource {
  connection: StoredConnection;
  preset: ProviderPreset;
  source: AddedModelSource;
  opened: PresetConnection;
}

/** @throws {ApiError} 404; 422 */
async function openSource(deps: Deps, providerId: string): Promise<OpenedSource> {
  const connection = await findConnection(deps.db, providerId);
  if (!connection) throw new ApiError('not_found', 'This provider is not connected.');
  const preset = findPreset(connection.provider);
  if (!preset?.added) throw invalidModel('provider_id', 'Models of this provider can’t be added.');
  const [credential] = connection.credentials;
  const { api_key, problem } = credential ? revealKey(deps, credential) : { api_key: null, problem: null };
  if (problem !== null) throw invalidModel('provider_id', problem);
  return {
    connection,
    preset,
    source: preset.added,
    opened: openConnection(deps, { address: connection.address, api_key }),
  };
}

/** Makes free calls to a provider. @throws {ApiError} 400 with the provider's response; 503 */
async function askProvider<T>(
  preset: ProviderPreset,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await ask(AbortSignal.any([signal, timeout]));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SchemaError) throw invalidModel('address', error.message, error);
    if (timeout.aborted)
      throw new ApiError('service_unavailable', `${preset.name} did not respond within ${TIMEOUT_MS / 1000} seconds.`, {
        cause: error,
      });
    if (!isProviderError(error)) throw error;
    const message = error instanceof EngineError ? error.message : describeProviderFailure(preset, error);
    if (!(error instanceof EngineError)) throw new ApiError('service_unavailable', message, { cause: error });
    throw new ApiError('invalid_request', message, {
      status: 400,
      details: [{ path: 'address', message }],
      cause: error,
    });
  }
}

export async function listModelProviders({ db }: Deps): Promise<ModelProvider[]> {
  return (await readConnections(db)).flatMap(({ id, provider, address, disconnected_at }): ModelProvider[] => {
    const preset = findPreset(provider);
    if (!preset?.added || disconnected_at !== null) return [];
    const { address_hint, search } = preset.added;
    const host = address !== null && URL.canParse(address) ? ` (${new URL(address).host})` : '';
    const name = preset.name + host;
    return [{ object: 'model_provider', id, provider, name, address_hint, has_search: search !== undefined }];
  });
}

export async function searchProviderModels(
  deps: Deps,
  { provider_id, q }: { provider_id: string; q: string },
  signal: AbortSignal,
): Promise<ModelListing[]> {
  const { preset, source, opened } = await openSource(deps, provider_id);
  const { search } = source;
  if (!search) throw invalidModel('provider_id', `${preset.name} has no search. Enter the model’s address.`);
  const found = await askProvider(preset, signal, (each) => search(opened, q, each));
  return found.map((listing) => ({ object: 'model_listing', ...listing }));
}

/** @throws {ApiError} 422 */
function parseSource(source: AddedModelSource, { address, workflow, inputs, kind }: ModelSource): ModelAddress {
  const parsed = source.parseAddress(address);
  if (!parsed) throw invalidModel('address', `This is not a model of this provider. ${source.address_hint}.`);
  return {
    ...parsed,
    inputs: inputs ?? null,
    kind,
    workflow: workflow === undefined ? undefined : parseJson(workflow),
  };
}

function parseJson(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (isJson(value)) return value;
  } catch {
    // Said below.
  }
  throw invalidModel('workflow', 'This is not a workflow in API format. In ComfyUI, choose Workflow → Export (API).');
}

interface ReadOptions {
  /** By default the one in the address, or the newest. */
  provider_version?: string;
  /** The version that is compared. */
  known?: NormalizedModel;
}

/**
 * Reads what a provider says about a model now.
 * @throws {ApiError} 400 with the provider's response; 404; 422, naming the field; 503. Causes: `ModelNotFoundError`,
 *   `SchemaError`
 */
export async function readModel(
  deps: Deps,
  request: ModelSource,
  signal: AbortSignal,
  { provider_version, known }: ReadOptions = {},
): Promise<InspectedModel> {
  const { connection, preset, source, opened } = await openSource(deps, request.provider_id);
  const parsed = parseSource(source, request);
  const address = provider_version === undefined ? parsed : { ...parsed, provider_version };
  return askProvider(preset, signal, async (each) => {
    const snapshot = await source.read(opened, address, each);
    const { category } = snapshot;
    const read = await source.normalize(snapshot, { category, overrides: request.overrides, known: known ?? null });
    return { ...read, connection, snapshot };
  });
}

const cut = (text: string, max: number): string =>
  [...text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()].slice(0, max).join('');

export function presentInspection({ connection, snapshot, normalized, ...read }: InspectedModel): ModelInspection {
  const { provider_model, provider_version, category, page_url, is_deprecated, published_price, price_text } = snapshot;
  const { contract, output } = normalized;
  const { price, problem } = published_price
    ? suggestPrice(published_price, { contract, output, category, price_text })
    : { price: null, problem: null };
  const name = cut(snapshot.name, MAX_NAME_CHARACTERS) || provider_model.slice(0, MAX_NAME_CHARACTERS);
  return {
    object: 'model_inspection',
    provider: connection.provider,
    provider_model,
    provider_version,
    name,
    description: snapshot.description === null ? null : cut(snapshot.description, MAX_DESCRIPTION_CHARACTERS) || null,
    category,
    page_url,
    is_deprecated,
    ...presentForm(normalized),
    ...(read.candidates ? { candidates: [...read.candidates] } : {}),
    ...(read.inputs?.length ? { inputs: [...read.inputs] } : {}),
    published_price,
    price_text,
    suggested: {
      task: suggestTask({ name: `${provider_model} ${name}`, category, example: snapshot.example ?? null }, normalized),
      price,
      ...(problem === null ? {} : { price_problem: problem }),
    },
  };
}

export const presentForm = ({ contract, advanced, notes, media, output, hash }: NormalizedModel) => ({
  contract,
  advanced: advanced && { field: advanced.field, names: [...advanced.names], reasons: { ...advanced.reasons } },
  notes: { ...notes },
  media: { ...media },
  output,
  hash,
});
