import type { Db } from '#server/platform/db/db.ts';
import { eq, isNull } from 'drizzle-orm';
import type { ProviderId } from '#contract/providers.ts';
import type {
  ModelChoice,
  Provider,
  ProviderConnect,
  ProviderTest,
  ProviderTestResult,
  ProviderUpdate,
} from '#contract/resources/provider.ts';
import { findOperatorId } from '#server/accounts/audit/find-operator-id.ts';
import { type AuditActor, actingKey } from '#server/accounts/audit/record-audit-event.ts';
import { recordPrices } from '#server/accounts/billing/reports/price-books.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { readEnvironmentVariable } from '#server/platform/core/settings/config.ts';
import { providerConnections } from '#server/platform/db/schema/provider-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { ProviderPreset } from '#server/models/providers/preset.ts';
import { findPreset } from '#server/models/providers/presets.ts';
import { checkProvider } from './check-provider.ts';
import { findKeyProblem, revealKey } from './connection-key.ts';
import {
  createConnection,
  disconnectProvider,
  findConnection,
  rotateKey,
  type StoredConnection,
  updateConnection,
} from './connections.ts';
import {
  findEnvironmentAddress,
  findEnvironmentKey,
  findUsualAddress,
  isAddressForEnvironmentKey,
} from './environment-key.ts';
import { describeSettings, recordProviderEvent } from './record-provider-event.ts';
import { presentProvider } from './present-provider.ts';
import { invalidSetting, validateSettings } from './validate-settings.ts';

/** Number of connections at most; each needs memory for its engines. */
const MAX_CONNECTIONS = 50;

/**
 * Providers and prices belong to the whole installation, so only the organization that was created with it manages them.
 * @throws {ApiError} 401
 */
export async function assertOperator(
  deps: Deps,
  caller: Pick<Caller, 'organization_id'>,
  subject = 'Providers',
): Promise<void> {
  if (!(await isOperator(deps.db, caller)))
    throw new ApiError(
      'authentication_error',
      `${subject} are managed with an organization key of the organization that operates this service.`,
    );
}

export async function isOperator(db: Db, { organization_id }: Pick<Caller, 'organization_id'>): Promise<boolean> {
  return (await findOperatorId(db)) === organization_id;
}

/** @throws {ApiError} 422 */
function requirePreset(id: ProviderId): ProviderPreset {
  const preset = findPreset(id);
  if (preset) return preset;
  throw invalidSetting('provider', 'This provider cannot be connected.');
}

/** @throws {ApiError} 422 */
function readCredential(preset: ProviderPreset, { key, use_environment, address }: ProviderTest) {
  const variable = findEnvironmentKey(preset);
  if (use_environment && key !== undefined)
    throw invalidSetting('use_environment', 'Send a key or use_environment, not both.');
  if (use_environment && variable === null)
    throw invalidSetting('use_environment', `No environment variable of ${preset.name} is set.`);
  if (use_environment && address !== undefined && !isAddressForEnvironmentKey(preset, address))
    throw invalidSetting(
      'address',
      `The key in ${variable} is only sent to ${findUsualAddress(preset)}. Paste a key to use another address.`,
    );
  const apiKey = (use_environment && variable ? readEnvironmentVariable(variable) : key) ?? null;
  if (preset.key === 'required' && apiKey === null) throw invalidSetting('key', `Enter a key of ${preset.name}.`);
  if (preset.key === 'none' && apiKey !== null) throw invalidSetting('key', `${preset.name} does not take a key.`);
  if (preset.default_address === null && address === undefined)
    throw invalidSetting('address', `Enter the address of the server.`);
  // Stored with the connection, because workers need not have the variables of providers.
  return { api_key: apiKey, address: address ?? findEnvironmentAddress(preset) };
}

/** Tests a key before it is stored. @throws {ApiError} 422 */
export async function testProviderKey(
  deps: Deps,
  request: ProviderTest,
  signal: AbortSignal,
): Promise<ProviderTestResult> {
  const preset = requirePreset(request.provider);
  return checkProvider(deps, preset, readCredential(preset, request), signal);
}

/** Stores a connection if the provider accepts its key. @throws {ApiError} 400 with the provider's response; 422 */
export async function connectProvider(
  deps: Deps,
  actor: AuditActor,
  request: ProviderConnect,
  signal: AbortSignal,
): Promise<Provider> {
  const preset = requirePreset(request.provider);
  const { api_key, address } = readCredential(preset, request);
  const { provider, models, text_model = null, visible_watermark = false } = request;
  const settings = { models, text_model, visible_watermark };
  validateSettings(preset, settings);
  await assertAccepted(deps, preset, { api_key, address }, signal);
  const id = await deps.db.transaction(async (tx) => {
    const connections = await tx.$count(providerConnections, isNull(providerConnections.disconnected_at));
    if (connections >= MAX_CONNECTIONS)
      throw invalidSetting('provider', `At most ${MAX_CONNECTIONS} providers can be connected. Disconnect one first.`);
    const createdBy = actingKey(actor)?.id ?? null;
    const draft = { provider, api_key, address, ...settings, created_by: createdBy };
    const created = await createConnection({ ...deps, db: tx }, draft);
    const after = { address, ...describeSettings(settings) };
    const change = { action: 'provider.connected', after } as const;
    await recordProviderEvent(tx, actor, { id: created, provider }, change, deps.clock.now());
    return created;
  });
  return applyChange(deps, id);
}

async function assertAccepted(
  deps: Deps,
  preset: ProviderPreset,
  connection: { api_key: string | null; address: string | null },
  signal: AbortSignal,
): Promise<void> {
  const { ok, message } = await checkProvider(deps, preset, connection, signal);
  if (!ok) throw invalidSetting(connection.api_key === null ? 'address' : 'key', message, 400);
}

/** Makes a stored change effective in this process and records the prices in force from now on. */
async function applyChange(deps: Deps, id: string): Promise<Provider> {
  await deps.offering.refresh();
  await recordPrices(deps);
  return presentProvider(deps, await requireConnection(deps, id));
}

/** @throws {ApiError} 404 */
async function requireConnection({ db }: { db: Pick<Deps['db'], 'select'> }, id: string): Promise<StoredConnection> {
  const connection = await findConnection(db, id);
  if (connection) return connection;
  throw new ApiError('not_found', 'Provider not found.');
}

/** @throws {ApiError} 404 */
export const readProvider = async (deps: Deps, id: string): Promise<Provider> =>
  presentProvider(deps, await requireConnection(deps, id));

/** Tests a stored key. @throws {ApiError} 404 */
export async function testProvider(deps: Deps, id: string, signal: AbortSignal): Promise<ProviderTestResult> {
  const connection = await requireConnection(deps, id);
  const problem = findKeyProblem(deps, connection);
  if (problem !== null) return { object: 'provider_test', ok: false, message: problem };
  const { provider, address, credentials } = connection;
  const { api_key } = credentials[0] ? revealKey(deps, credentials[0]) : { api_key: null };
  return checkProvider(deps, requirePreset(provider), { address, api_key }, signal);
}

/** A workflow is never part of a response, so a choice without one keeps what is stored. */
function keepWorkflow({ models }: StoredConnection, choice: ModelChoice): ModelChoice {
  const stored = models.find(({ task, model }) => task === choice.task && model === choice.model);
  return stored?.workflow === undefined ? choice : { workflow: stored.workflow, ...choice };
}

/** @throws {ApiError} 404; 422 */
export async function updateProvider(
  deps: Deps,
  actor: AuditActor,
  id: string,
  { state, models: choices, text_model, visible_watermark, prefer }: ProviderUpdate,
): Promise<Provider> {
  await deps.db.transaction(async (tx) => {
    await tx.select().from(providerConnections).where(eq(providerConnections.id, id)).for('update');
    const connection = await requireConnection({ db: tx }, id);
    const models = choices?.map((choice) => keepWorkflow(connection, choice));
    const settings = {
      models: models ?? connection.models,
      text_model: text_model === undefined ? connection.text_model : text_model,
      visible_watermark: visible_watermark ?? connection.visible_watermark,
    };
    const changesSettings = [models, text_model, visible_watermark].some((setting) => setting !== undefined);
    if (changesSettings) validateSettings(requirePreset(connection.provider), settings);
    await updateConnection({ ...deps, db: tx }, id, { state, models, text_model, visible_watermark, prefer });
    const now = deps.clock.now();
    if (changesSettings) {
      const [before, after] = [describeSettings(connection), describeSettings(settings)];
      await recordProviderEvent(tx, actor, connection, { action: 'provider.updated', before, after }, now);
    }
    if (state !== undefined && state !== connection.state) {
      const action = state === 'paused' ? 'provider.paused' : 'provider.resumed';
      await recordProviderEvent(tx, actor, connection, { action }, now);
    }
    if (prefer) await recordProviderEvent(tx, actor, connection, { action: 'provider.preferred' }, now);
  });
  return applyChange(deps, id);
}

/** @throws {ApiError} 400 with the provider's response; 404; 422 */
export async function rotateProviderKey(
  deps: Deps,
  actor: AuditActor,
  id: string,
  key: string,
  signal: AbortSignal,
): Promise<Provider> {
  const connection = await requireConnection(deps, id);
  const preset = requirePreset(connection.provider);
  if (preset.key === 'none') throw invalidSetting('key', `${preset.name} does not take a key.`);
  await assertAccepted(deps, preset, { api_key: key, address: connection.address }, signal);
  await deps.db.transaction(async (tx) => {
    await rotateKey({ ...deps, db: tx }, connection, key);
    const [before, after] = [connection.credentials[0]?.last_four ?? null, key.slice(-4)];
    const change = {
      action: 'provider.key_rotated',
      before: { key_last_four: before },
      after: { key_last_four: after },
    } as const;
    await recordProviderEvent(tx, actor, connection, change, deps.clock.now());
  });
  return applyChange(deps, id);
}

/** @throws {ApiError} 404 */
export async function removeProvider(deps: Deps, actor: AuditActor, id: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await tx.select().from(providerConnections).where(eq(providerConnections.id, id)).for('update');
    const connection = await requireConnection({ db: tx }, id);
    await disconnectProvider({ ...deps, db: tx }, id);
    await recordProviderEvent(tx, actor, connection, { action: 'provider.disconnected' }, deps.clock.now());
  });
  await deps.offering.refresh();
  await recordPrices(deps);
}
