import type { AnyModelId } from '#contract/ids.ts';
import type { ModelChoice } from '#contract/resources/provider.ts';
import type { Rule } from '#contract/task.ts';
import { applyCostRatio, estimateCost } from './provider-prices.ts';
import { createUpstreamEngine, type UpstreamEngine } from '#server/models/engine/upstream.ts';
import { findPreset } from '#server/models/providers/presets.ts';
import type { AddedModel } from '#server/models/added-models/added-models.ts';
import { createVersionedAdapter, listCost } from '#server/models/added-models/versioned-adapter.ts';
import type { PresetModel } from '#server/models/providers/preset.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';
import { OutboundError } from '#server/platform/net/outbound-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { revealKey } from './connection-key.ts';
import type { CredentialRow, StoredConnection } from './connections.ts';

const DEADLINE_MS = 60 * 60_000;

/** Opens a provider's servers, on public addresses and those that the operator allows. */
export const openConnection = (
  { fetcher }: Pick<Deps, 'fetcher'>,
  connection: Pick<PresetConnection, 'address' | 'api_key' | 'visible_watermark'>,
): PresetConnection => ({
  ...connection,
  openService: (base_url) => fetcher.createService(base_url, { public_only: true }),
  deadlineMs: DEADLINE_MS,
});

/** Prefix of the engine names of a credential, by which its jobs are found. */
const engineNamePrefix = ({ connection_id, version }: Pick<CredentialRow, 'connection_id' | 'version'>): string =>
  `${connection_id}.${version}/`;

/**
 * The engines of a connection: one per model and credential. Those of retired credentials and paused connections accept
 * nothing new, and exist so that submitted jobs finish where they started.
 */
export function createConnectionEngines(
  deps: Pick<Deps, 'log' | 'fetcher' | 'secrets'>,
  connection: StoredConnection,
  added: readonly AddedModel[],
): UpstreamEngine[] {
  return connection.credentials.flatMap((credential) => createCredentialEngines(deps, connection, credential, added));
}

function createCredentialEngines(
  deps: Pick<Deps, 'log' | 'fetcher' | 'secrets'>,
  { id, provider, address, visible_watermark, models, state, disconnected_at, cost_ratios }: StoredConnection,
  credential: CredentialRow,
  added: readonly AddedModel[],
): UpstreamEngine[] {
  const preset = findPreset(provider);
  if (!preset) return [];
  const { api_key, problem } = revealKey(deps, credential);
  if (problem !== null) {
    deps.log.error({ provider: id, problem }, 'provider key cannot be used; enter the key again');
    return [];
  }
  const acceptsJobs = state === 'active' && disconnected_at === null && credential.retired_at === null;
  const atRatio = (model: AnyModelId, cost: bigint) => applyCostRatio(cost, model, cost_ratios);
  const opened = openConnection(deps, { address, api_key, visible_watermark });
  const create = (build: () => UpstreamEngine): UpstreamEngine[] => {
    try {
      return [build()];
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      deps.log.error({ err: error, provider: id }, 'provider address is not usable');
      return [];
    }
  };
  // Models that were deselected are included, for their running jobs.
  const ofPreset = preset.models.flatMap((presetModel) => {
    const { task, model } = presetModel;
    const selected = models.find((choice) => choice.task === task && choice.model === model);
    const choice = selected ?? { task, model, markup_percent: null };
    return create(() =>
      createUpstreamEngine({
        name: `${engineNamePrefix(credential)}${task}/${model}`,
        connection_id: id,
        adapter: presetModel.createAdapter(opened, choice),
        deadlineMs: DEADLINE_MS,
        supports: (...asked) => acceptsJobs && selected !== undefined && asked[0] === task && asked[1] === model,
        restrictions: restrictModel(presetModel, choice),
        provider_model: { ...presetModel.display, via: preset.name },
        listCost: ({ input }, facts) => atRatio(model, estimateCost(presetModel, input, facts).amount_micro_usd),
      }),
    );
  });
  const { added: source } = preset;
  if (!source) return ofPreset;
  const ofAdded = added.flatMap((model) =>
    create(() =>
      createUpstreamEngine({
        name: `${engineNamePrefix(credential)}${model.id}`,
        connection_id: id,
        adapter: createVersionedAdapter(model, ({ definition }) => source.createAdapter(opened, definition)),
        deadlineMs: DEADLINE_MS,
        supports: (task, asked) =>
          acceptsJobs &&
          (model.state === 'published' || model.state === 'draft') &&
          asked === model.id &&
          // Orders of an older version may be of another task.
          [...model.versions.values()].some((version) => version.task === task),
        listCost: ({ model_version, input }, facts) => {
          const cost = listCost(model, model_version, input, facts);
          return cost === null ? null : atRatio(model.id, cost);
        },
      }),
    ),
  );
  return [...ofPreset, ...ofAdded];
}

/** Contracts are cached by this array, so it is the preset's own unless the choice adds to it. */
const restrictModel = (presetModel: PresetModel, choice: ModelChoice): readonly Rule[] =>
  presetModel.restrictChoice
    ? [...presetModel.restrictions, ...presetModel.restrictChoice(choice)]
    : presetModel.restrictions;
