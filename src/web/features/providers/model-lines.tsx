import type { Provider } from '#contract/resources/provider.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { groupByRunner, type RunnerGroup } from './model-runners.ts';

interface ModelLinesProps {
  provider: Provider;
  providers: readonly Provider[];
}

/** Says which models of a connection it runs, and which another one runs before it. */
export function ModelLines({ provider, providers }: ModelLinesProps) {
  const names = useCatalogNames();
  const groups = groupByRunner(provider, providers);
  if (groups.length === 0)
    return provider.text_model === null ? <p className="mt-1 text-sm text-ink-2">No models</p> : null;
  const nameModels = ({ models }: RunnerGroup) => {
    const labels = models.map((entry) => {
      const name = names.modelOrTask(entry);
      const isSplit = groups.some(
        (group) => group.models !== models && group.models.some(({ model }) => model === entry.model),
      );
      return isSplit && entry.model !== null ? `${name} (${names.task(entry.task)})` : name;
    });
    return [...new Set(labels)].join(', ');
  };
  return groups.map((group) => (
    <p key={group.runner?.id ?? ''} className="mt-1 text-sm text-ink-2">
      {describeGroup(group, provider, nameModels(group))}
    </p>
  ));
}

function describeGroup({ runner }: RunnerGroup, { id, state }: Provider, models: string): string {
  if (runner?.id === id) return models;
  if (state === 'paused')
    return runner ? `On ${runner.name} while paused: ${models}` : `Unavailable while paused: ${models}`;
  return runner ? `Fallback for ${models}: ${runner.name} comes first.` : models;
}
