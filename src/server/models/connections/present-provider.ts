import type { Db } from '#server/platform/db/db.ts';
import { and, count, eq, gte, like, ne, sql } from 'drizzle-orm';
import { inputContract, TASKS } from '#contract/catalog.ts';
import { estimate } from '#contract/money/estimate.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { formatUsd } from '#contract/money/money.ts';
import type { PriceBook } from '#contract/money/pricing.ts';
import type {
  PresetModel as PresentedModel,
  ProviderPreset as PresentedPreset,
} from '#contract/resources/provider-preset.ts';
import type { Provider, ProviderHealth } from '#contract/resources/provider.ts';
import { fieldDefault } from '#contract/task.ts';
import { presentBillingKey } from '#server/models/bills/find-billing-key.ts';
import { findEngine, type Offering } from '#server/models/catalog/offering.ts';
import { generations, upstreamJobs } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { PresetModel, ProviderPreset } from '#server/models/providers/preset.ts';
import type { Engine, UpstreamEngine } from '#server/models/engine/upstream.ts';
import { findPreset, findPresetModel } from '#server/models/providers/presets.ts';
import { findKeyProblem } from './connection-key.ts';
import type { StoredConnection } from './connections.ts';
import { applyCostRatio, estimateCost } from './provider-prices.ts';
import { readTextUsage } from './text-model-calls.ts';

const DAY_MS = 86_400_000;
/** Lengths for typical costs of tasks that are priced by the length of a file. */
const TYPICAL_LENGTHS = { video_seconds: 8, audio_seconds: 8 };

/** The input of a task with all defaults, and a description of what it orders. */
function typicalInput(task: TaskId, model: ModelId): { input: Record<string, unknown>; description: string } {
  const fields = inputContract(task, model)?.fields ?? [];
  const input = Object.fromEntries(
    fields.flatMap((field) => {
      const value = fieldDefault(field);
      return value === undefined || value === null ? [] : [[field.name, value]];
    }),
  );
  const lengths = ['video.edit', 'video.lipsync'].includes(task) ? ['8 s'] : [];
  const options = ['duration_seconds', 'resolution', 'quality', 'size'].flatMap((name) =>
    input[name] === undefined ? [] : [name === 'duration_seconds' ? `${input[name]} s` : String(input[name])],
  );
  return { input, description: [TASKS[task].media_type, ...lengths, ...options].join(', ') };
}

function presentModel(
  presetModel: PresetModel,
  { prices }: Offering,
  runner: Pick<Provider, 'id' | 'name'> | null,
): PresentedModel {
  const { task, model, provider_model, display, restrictions, price } = presetModel;
  const { input, description } = typicalInput(task, model);
  const cost = estimateCost(presetModel, input, TYPICAL_LENGTHS).amount_micro_usd;
  const charge = estimate(prices, task, model, input, TYPICAL_LENGTHS).amount_micro_usd;
  return {
    task,
    model,
    provider_model,
    display,
    price: {
      unit: price.unit,
      unit_price_usd: price.unit_price_usd,
      read_on: price.read_on,
      source: price.source,
      note: price.note ?? null,
    },
    typical: {
      description,
      cost_usd: formatUsd(cost),
      price_usd: formatUsd(charge),
      margin_usd: formatUsd(charge - cost),
    },
    restrictions: [...new Set(restrictions.map(({ message }) => message))],
    used_by: runner?.name ?? null,
    runs_on: runner?.id ?? null,
  };
}

/** @param environment the usual address, and the variable that holds a key; null if none is set */
export const presentPreset = (
  preset: ProviderPreset,
  offering: Offering,
  environment: Pick<PresentedPreset, 'address' | 'environment_key'>,
  findRunner: (task: TaskId, model: ModelId) => Pick<Provider, 'id' | 'name'> | null,
): PresentedPreset => ({
  object: 'provider_preset',
  id: preset.id,
  name: preset.name,
  description: preset.description,
  key: preset.key,
  key_url: preset.key_url,
  adds_models: preset.added !== undefined,
  terms_url: preset.terms_url,
  ...environment,
  model_setting: preset.model_setting ?? null,
  visible_watermark: preset.has_visible_watermark === true,
  text_model: preset.text ? { suggestion: preset.text.suggestion } : null,
  models: preset.models.map((entry) => presentModel(entry, offering, findRunner(entry.task, entry.model))),
});

/** The wire format of a connection. Its key is left out. */
export async function presentProvider(deps: Deps, connection: StoredConnection): Promise<Provider> {
  const preset = findPreset(connection.provider);
  const offering = deps.offering.current();
  const [credential] = connection.credentials;
  const keyProblem = findKeyProblem(deps, connection);
  const state = keyProblem === null ? connection.state : 'paused';
  return {
    id: connection.id,
    object: 'provider',
    provider: connection.provider,
    name: preset?.name ?? connection.provider,
    address: connection.address ?? preset?.default_address ?? '',
    source: 'dashboard',
    state,
    paused_reason: keyProblem ?? connection.paused_reason,
    key_last_four: credential?.last_four ?? null,
    models: connection.models.map(({ task, model, markup_percent, provider_model }) => {
      const presetModel = preset && findPresetModel(preset, task, model);
      const runsOn = findRunnerId(offering, task, model);
      return {
        task,
        model,
        provider_model: provider_model ?? presetModel?.provider_model ?? null,
        markup_percent,
        is_fallback: state === 'active' && runsOn !== connection.id,
        runs_on: runsOn,
        ...presentTypicalPrices(presetModel, offering.prices, connection.cost_ratios),
      };
    }),
    visible_watermark: preset?.has_visible_watermark ? connection.visible_watermark : null,
    text_model: await presentTextModel(deps, connection, offering),
    billing: await presentBillingKey(deps.db, connection),
    running_jobs: await countRunningJobs(deps.db, connection.id),
    health: await readHealth(deps, connection),
    created_at: connection.created_at.toISOString(),
    updated_at: connection.updated_at.toISOString(),
  };
}

async function presentTextModel(
  deps: Deps,
  { id, text_model }: StoredConnection,
  offering: Offering,
): Promise<Provider['text_model']> {
  if (text_model === null) return null;
  const { model, input_usd_per_million, output_usd_per_million, daily_limit_usd } = text_model;
  return {
    model,
    input_usd_per_million,
    output_usd_per_million,
    daily_limit_usd,
    is_used: offering.text_model?.connection_id === id,
    ...(await readTextUsage(deps, id)),
  };
}

/** Id of the provider that gets new jobs of a model; null if nobody or an engine of this service does. */
export function findRunnerId({ engines }: Offering, task: TaskId, model: ModelId | null): string | null {
  const engine = findEngine(engines, task, model);
  if (!engine || !isUpstream(engine)) return null;
  return engine.connection_id ?? `${FILE_PREFIX}${fileEngineName(engine.name)}`;
}

export const isUpstream = (engine: Engine): engine is UpstreamEngine => 'adapter' in engine;
export const FILE_PREFIX = 'file:';
export const fileEngineName = (name: string): string => name.split('/')[0] ?? name;

function presentTypicalPrices(
  presetModel: PresetModel | undefined,
  prices: PriceBook,
  ratios: StoredConnection['cost_ratios'],
) {
  if (!presetModel) return { price_usd: null, cost_usd: null };
  const { task, model } = presetModel;
  const { input } = typicalInput(task, model);
  return {
    price_usd: formatUsd(estimate(prices, task, model, input, TYPICAL_LENGTHS).amount_micro_usd),
    cost_usd: formatUsd(
      applyCostRatio(estimateCost(presetModel, input, TYPICAL_LENGTHS).amount_micro_usd, model, ratios),
    ),
  };
}

async function countRunningJobs(db: Db, connectionId: string): Promise<number> {
  const [row] = await db
    .select({ jobs: count() })
    .from(upstreamJobs)
    .where(and(like(upstreamJobs.engine, `${connectionId}.%`), ne(upstreamJobs.state, 'ended')));
  return row?.jobs ?? 0;
}

/** Results of the last 24 hours. */
async function readHealth(
  { db, clock }: Deps,
  { id, last_problem, last_problem_at }: StoredConnection,
): Promise<ProviderHealth> {
  const seconds = sql`extract(epoch from ${generations.completed_at} - ${upstreamJobs.submitted_at})`;
  const [row] = await db
    .select({
      succeeded: sql<number>`count(*) filter (where ${generations.status} = 'succeeded')`.mapWith(Number),
      failed: sql<number>`count(*) filter (where ${generations.status} = 'failed')`.mapWith(Number),
      median_seconds: sql<number | null>`percentile_cont(0.5) within group (order by ${seconds})
        filter (where ${generations.status} = 'succeeded')`,
      spent: sql<string>`coalesce(sum(${upstreamJobs.cost_micro_usd}), 0)`,
    })
    .from(upstreamJobs)
    .innerJoin(generations, eq(generations.id, upstreamJobs.generation_id))
    .where(
      and(eq(upstreamJobs.connection_id, id), gte(upstreamJobs.submitted_at, new Date(clock.now().getTime() - DAY_MS))),
    );
  return {
    succeeded: row?.succeeded ?? 0,
    failed: row?.failed ?? 0,
    median_seconds: row?.median_seconds == null ? null : Math.round(Number(row.median_seconds) * 10) / 10,
    spent_usd: formatUsd(BigInt(row?.spent ?? 0)),
    last_problem:
      last_problem === null || last_problem_at === null
        ? null
        : { message: last_problem, at: last_problem_at.toISOString() },
  };
}
