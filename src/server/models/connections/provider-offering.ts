import type { Deps } from '#server/platform/deps.ts';
import { isDeepStrictEqual } from 'node:util';
import { type AddedModels, readAddedModels } from '#server/models/added-models/added-models.ts';
import { readCatalogLabels } from '#server/models/catalog/catalog-labels.ts';
import type { CatalogLabels, Offering, OfferingSource } from '#server/models/catalog/offering.ts';
import type { DisabledCatalog } from '#server/models/config/read-engines.ts';
import { isModelId } from '#contract/catalog.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { PriceBook } from '#contract/money/pricing.ts';
import type { Db } from '#server/platform/db/db.ts';
import type { Engine } from '#server/models/engine/upstream.ts';
import { findPreset, findPresetModel } from '#server/models/providers/presets.ts';
import { createConnectionEngines, openConnection } from './connection-engines.ts';
import { findKeyProblem, revealKey } from './connection-key.ts';
import { readConnections, type StoredConnection } from './connections.ts';
import { applyPrices, toPriceRow } from './provider-prices.ts';
import type { OfferedTextModel } from '#server/models/text/text-model.ts';
import { OutboundError } from '#server/platform/net/outbound-error.ts';
import { isNull, sql } from 'drizzle-orm';
import { addedModels } from '#server/platform/db/schema/added-model-schema.ts';
import { catalogLabels } from '#server/platform/db/schema/catalog-schema.ts';
import { providerConnections, providerCredentials } from '#server/platform/db/schema/provider-schema.ts';

const REFRESH_INTERVAL_MS = 2_000;

export interface OfferingBase {
  /** Engines of the operator's file. They come before connections. */
  file_engines: readonly Engine[];
  /** Tools and preview, which come after connections. */
  local_engines: readonly Engine[];
  off: DisabledCatalog;
  prices: PriceBook;
}

export interface ProviderOffering extends OfferingSource {
  /** Reads the connections every few seconds, for changes that other processes make. @returns a function that stops it */
  startRefreshing(): () => void;
}

/** The offering of an installation: its file and the connections in its database. */
export async function createProviderOffering(
  deps: Pick<Deps, 'log' | 'fetcher' | 'secrets'> & { db: Db },
  base: OfferingBase,
): Promise<ProviderOffering> {
  const listeners = new Set<(offering: Offering) => void>();
  let version: string | null = null;
  let stored: StoredOffering = { connections: [], labels: new Map(), added: new Map() };
  let offering = buildOffering(deps, base, stored);
  let reading: Promise<Offering> | null = null;

  async function read(): Promise<Offering> {
    // Read before the rows, so that a change in between is found by the next read.
    const storedVersion = await readOfferingVersion(deps.db);
    if (storedVersion === version) return offering;
    const next = {
      connections: await readConnections(deps.db),
      labels: await readCatalogLabels(deps.db),
      added: await readAddedModels(deps.db),
    };
    version = storedVersion;
    if (isSameOffering(next, stored)) return offering;
    stored = next;
    offering = buildOffering(deps, base, stored);
    for (const listener of listeners) listener(offering);
    return offering;
  }

  const source: ProviderOffering = {
    current: () => offering,
    // A read that began earlier may miss a change that was made since.
    async refresh() {
      await reading?.catch(() => undefined);
      reading ??= read().finally(() => {
        reading = null;
      });
      return reading;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    startRefreshing() {
      const timer = setInterval(() => {
        source
          .refresh()
          .catch((error: unknown) => deps.log.warn({ err: error }, 'could not read provider connections'));
      }, REFRESH_INTERVAL_MS);
      return () => clearInterval(timer);
    },
  };
  await source.refresh();
  return source;
}

interface StoredOffering {
  connections: readonly StoredConnection[];
  labels: CatalogLabels;
  added: AddedModels;
}

/** The health of connections changes with jobs, and their engines do not depend on it. */
const withoutHealth = (connections: readonly StoredConnection[]) =>
  connections.map(
    ({ account_problems: _count, last_problem: _message, last_problem_at: _time, ...settings }) => settings,
  );

const isSameOffering = (one: StoredOffering, other: StoredOffering): boolean =>
  isDeepStrictEqual(withoutHealth(one.connections), withoutHealth(other.connections)) &&
  isDeepStrictEqual(one.labels, other.labels) &&
  isDeepStrictEqual(one.added, other.added);

/**
 * Added models, and the models of a provider that is paused or whose key is unreadable, are never run here: nobody who
 * ordered them should get a preview instead.
 */
function withoutProviderModels(
  deps: Pick<Deps, 'log' | 'fetcher' | 'secrets'>,
  engines: readonly Engine[],
  connections: readonly StoredConnection[],
  hasAdded: boolean,
): readonly Engine[] {
  const paused = connections.filter(
    (connection) =>
      connection.disconnected_at === null &&
      (connection.state === 'paused' || findKeyProblem(deps, connection) !== null),
  );
  if (paused.length === 0 && !hasAdded) return engines;
  const isPaused = (task: TaskId, model: AnyModelId | null) =>
    (model !== null && !isModelId(model)) ||
    paused.some(({ models }) => models.some((choice) => choice.task === task && choice.model === model));
  return engines.map((engine) => ({
    ...engine,
    supports: (task, model) => !isPaused(task, model) && engine.supports(task, model),
  }));
}

function buildOffering(
  deps: Pick<Deps, 'log' | 'fetcher' | 'secrets'>,
  base: OfferingBase,
  { connections, labels, added }: StoredOffering,
): Offering {
  const engines = connections.flatMap((connection) =>
    createConnectionEngines(
      deps,
      connection,
      [...added.values()].filter(({ connection_id }) => connection_id === connection.id),
    ),
  );
  const prices = connections
    .filter(({ disconnected_at }) => disconnected_at === null)
    .flatMap(({ provider, models }) => {
      const preset = findPreset(provider);
      return models.flatMap(({ task, model, markup_percent }) => {
        const presetModel = preset && findPresetModel(preset, task, model);
        return presetModel && markup_percent !== null ? [toPriceRow(presetModel, markup_percent)] : [];
      });
    });
  return {
    engines: [
      ...base.file_engines,
      ...engines,
      ...withoutProviderModels(deps, base.local_engines, connections, added.size > 0),
    ],
    off: base.off,
    prices: applyPrices(base.prices, prices),
    labels,
    added,
    text_model: findTextModel(deps, connections),
  };
}

/** Opens the text model of the first active connection that has one. Decision: Improve a prompt */
function findTextModel(
  deps: Pick<Deps, 'log' | 'fetcher' | 'secrets'>,
  connections: readonly StoredConnection[],
): OfferedTextModel | null {
  for (const connection of connections) {
    const opened = openTextModel(deps, connection);
    if (opened) return opened;
  }
  return null;
}

function openTextModel(
  deps: Pick<Deps, 'log' | 'fetcher' | 'secrets'>,
  { id, provider, address, text_model, state, disconnected_at, credentials: [credential] }: StoredConnection,
): OfferedTextModel | null {
  const preset = findPreset(provider);
  if (!preset?.text || text_model === null || state !== 'active' || disconnected_at !== null) return null;
  if (!credential || credential.retired_at !== null) return null;
  const { api_key, problem } = revealKey(deps, credential);
  if (problem !== null) return null;
  try {
    const generate = preset.text.createGenerate(openConnection(deps, { address, api_key }));
    return { connection_id: id, name: preset.name, settings: text_model, generate };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    deps.log.error({ err: error, provider: id }, 'provider address is not usable');
    return null;
  }
}

/**
 * Reads what changes with every change of the rows behind an offering. `xmin` is the transaction that wrote a row, so
 * the rows themselves, which may hold large workflows, are not read.
 */
async function readOfferingVersion(db: Pick<Db, 'select'>): Promise<string> {
  const connections = sql`select string_agg(id || ' ' || xmin, ',' order by id) from ${providerConnections}`;
  const credentials = sql`select string_agg(connection_id || ' ' || version || ' ' || xmin, ',' order by connection_id, version)
    from ${providerCredentials} where ${isNull(providerCredentials.deleted_at)}`;
  const labels = sql`select string_agg(id || ' ' || xmin, ',' order by id) from ${catalogLabels}`;
  // The daily check writes rows that run nothing else.
  const added = sql`select string_agg(
    md5((to_jsonb(added) - '{checked_at,drift,updated_at}'::text[])::text), ',' order by id) from ${addedModels} as added`;
  const [row] = await db
    .select({
      version: sql<string>`jsonb_build_array((${connections}), (${credentials}), (${labels}), (${added}))::text`,
    })
    .from(sql`(values (1)) as one`);
  return row?.version ?? '';
}
