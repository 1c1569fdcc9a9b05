import type { Deps } from '#server/platform/deps.ts';
import { TASK_IDS } from '#contract/ids.ts';
import { modelsForTask } from '#contract/catalog.ts';
import type { Me } from '#contract/resources/api-key.ts';
import type { Provider } from '#contract/resources/provider.ts';
import type { ProviderPreset } from '#contract/resources/provider-preset.ts';
import type { Offering } from '#server/models/catalog/offering.ts';
import { findKeyProblem } from './connection-key.ts';
import { readConnections } from './connections.ts';
import { findPreset, PRESETS } from '#server/models/providers/presets.ts';
import { findEnvironmentKey, findUsualAddress } from './environment-key.ts';
import {
  FILE_PREFIX,
  fileEngineName,
  findRunnerId,
  isUpstream,
  presentPreset,
  presentProvider,
} from './present-provider.ts';

/** Connections in order of preference, after the engines of the operator's file, which win. */
export async function listProviders(deps: Deps): Promise<Provider[]> {
  const connections = (await readConnections(deps.db)).filter(({ disconnected_at }) => disconnected_at === null);
  const connected = await Promise.all(connections.map((connection) => presentProvider(deps, connection)));
  return [...presentFileEngines(deps.offering.current()), ...connected];
}

/** The engines of `engines.json`, one row per name in the file. */
function presentFileEngines({ engines }: Offering): Provider[] {
  const fileEngines = engines.filter(isUpstream).filter(({ connection_id }) => connection_id === undefined);
  const names = [...new Set(fileEngines.map(({ name }) => fileEngineName(name)))];
  return names.map((name) => {
    const own = fileEngines.filter((engine) => fileEngineName(engine.name) === name);
    const pairs = TASK_IDS.flatMap((task) => {
      const models = modelsForTask(task);
      return (models.length > 0 ? models : [null]).map((model) => ({ task, model }));
    });
    return {
      id: `${FILE_PREFIX}${name}`,
      object: 'provider' as const,
      provider: null,
      name,
      address: '',
      source: 'file' as const,
      state: 'active' as const,
      paused_reason: null,
      key_last_four: null,
      models: pairs
        .filter(({ task, model }) => own.some((engine) => engine.supports(task, model)))
        .map((pair) => ({
          ...pair,
          provider_model: null,
          markup_percent: null,
          is_fallback: false,
          runs_on: `${FILE_PREFIX}${name}`,
          price_usd: null,
          cost_usd: null,
        })),
      visible_watermark: null,
      text_model: null,
      billing: null,
      running_jobs: 0,
      health: null,
      created_at: null,
      updated_at: null,
    };
  });
}

/** Every provider that can be connected, with its models at today's prices. */
export async function listPresets(deps: Deps): Promise<ProviderPreset[]> {
  const offering = deps.offering.current();
  const providers = await listProviders(deps);
  return PRESETS.map((preset) => {
    const environment = { address: findUsualAddress(preset), environment_key: findEnvironmentKey(preset) };
    return presentPreset(preset, offering, environment, (task, model) => {
      const runnerId = findRunnerId(offering, task, model);
      return providers.find(({ id }) => id === runnerId) ?? null;
    });
  });
}

/** What an administrator should know on every page: whether models are real, and which providers are paused. */
export async function summarizeProviders(deps: Deps): Promise<NonNullable<Me['providers']>> {
  const connections = (await readConnections(deps.db)).filter(({ disconnected_at }) => disconnected_at === null);
  return {
    connected: connections.length + presentFileEngines(deps.offering.current()).length,
    paused: connections.flatMap((connection) => {
      const { id, provider, paused_reason } = connection;
      const reason = findKeyProblem(deps, connection) ?? paused_reason;
      return reason === null ? [] : [{ id, name: findPreset(provider)?.name ?? provider, reason }];
    }),
  };
}
