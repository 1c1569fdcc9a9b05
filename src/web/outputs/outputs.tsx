import type { Generation } from '#contract/resources/generation.ts';
import { AssetView } from '#web/outputs/asset-view.tsx';
import { readScenes, timeRange } from '#web/outputs/read-output-data.ts';
import { SearchResults } from '#web/outputs/search-results.tsx';
import { cx } from '#web/ui/cx.ts';

/** What a finished generation made: pictures, clips and sounds, or the posts that were found. */
export function Outputs({ generation }: { generation: Generation }) {
  const { assets, data } = generation.output;
  if (generation.task === 'social.search') return <SearchResults data={data} />;
  const scenes = readScenes(data);
  return (
    <ul className={cx('grid gap-3', assets.length > 1 && 'grid-cols-1 sm:grid-cols-2')}>
      {assets.map((asset, index) => {
        const scene = scenes.find(({ asset_index }) => asset_index === index);
        return (
          <li key={asset.id} className="min-w-0">
            <AssetView asset={asset} label={assets.length > 1 ? `Result ${index + 1}` : 'Result'} />
            {scene ? (
              <p className="mt-1 text-xs text-ink-3 tabular-nums">
                Scene {index + 1} · {timeRange(scene.start_seconds, scene.end_seconds)}
              </p>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}
