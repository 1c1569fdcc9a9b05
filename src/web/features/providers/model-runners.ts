import type { PresetModel } from '#contract/resources/provider-preset.ts';
import type { Provider } from '#contract/resources/provider.ts';

type ProviderModel = Provider['models'][number];

export interface RunnerGroup {
  /** The provider that gets new jobs of the models; null: none, so they are unavailable. */
  runner: Provider | null;
  models: ProviderModel[];
}

/** Splits the models of a connection by the provider that gets their new jobs: first its own, then those of others. */
export function groupByRunner(provider: Provider, providers: readonly Provider[]): RunnerGroup[] {
  const ids = [...new Set([provider.id, ...provider.models.map(({ runs_on }) => runs_on)])];
  return ids
    .map((id) => ({
      runner: providers.find((each) => each.id === id) ?? null,
      models: provider.models.filter(({ runs_on }) => runs_on === id),
    }))
    .filter(({ models }) => models.length > 0);
}

/** Whether another connection runs some of its models, so that putting it first would change that. */
export const canRunFirst = ({ models, source }: Provider, providers: readonly Provider[]): boolean =>
  source === 'dashboard' &&
  models.some(
    ({ is_fallback, runs_on }) => is_fallback && providers.find(({ id }) => id === runs_on)?.source === 'dashboard',
  );

/** What selecting a model means if another provider runs it now; null if none does. */
export function describeOtherRunner(
  { task, model, runs_on }: Pick<PresetModel, 'task' | 'model' | 'runs_on'>,
  providers: readonly Provider[],
  connectedId: string | undefined,
): string | null {
  const runner = providers.find(({ id }) => id === runs_on);
  if (!runner || runner.id === connectedId) return null;
  const connected = providers.find(({ id }) => id === connectedId);
  const isChosen = connected?.models.some((each) => each.task === task && each.model === model) ?? false;
  const comesFirst = connected?.state === 'active' && providers.indexOf(connected) < providers.indexOf(runner);
  if (comesFirst) return `Runs on ${runner.name}; this takes over`;
  return `Runs on ${runner.name}; this ${isChosen ? 'is' : 'becomes'} the fallback`;
}
