import type { QueryClient } from '@tanstack/react-query';
import type { List } from '#contract/primitives.ts';
import type { Asset, Generation } from '#contract/resources/generation.ts';
import type { LiveList } from './live-list.ts';
import { queryKeys } from './query-keys.ts';

/** Changes files of generations in the cache, without reading long lists again. */
export function updateCachedAssets(
  client: QueryClient,
  ids: ReadonlySet<string>,
  change: Partial<Pick<Asset, 'favourite' | 'removed_at' | 'name'>>,
): void {
  const changed = (generation: Generation): Generation =>
    generation.output.assets.some(({ id }) => ids.has(id))
      ? {
          ...generation,
          output: {
            ...generation.output,
            assets: generation.output.assets.map((asset) => (ids.has(asset.id) ? { ...asset, ...change } : asset)),
          },
        }
      : generation;
  const changedPage = <P extends List<Generation>>(page: P): P => {
    const data = page.data.map(changed);
    return data.every((row, at) => row === page.data[at]) ? page : { ...page, data };
  };
  const { lists, heads, details } = queryKeys.generations;
  client.setQueriesData<LiveList<Generation>>(
    { queryKey: lists },
    (list) => list && { ...list, pages: list.pages.map(changedPage) },
  );
  client.setQueriesData<List<Generation>>({ queryKey: heads }, (head) => head && changedPage(head));
  client.setQueriesData<Generation>({ queryKey: details }, (generation) => generation && changed(generation));
}
