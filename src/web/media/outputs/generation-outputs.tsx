import type { ReactNode } from 'react';
import type { Generation } from '#contract/resources/generation.ts';
import { AssetView } from './asset-view.tsx';
import { DownloadLink } from './download-link.tsx';
import { readScenes } from './read-output-data.ts';
import { SceneStrip } from './scene-strip.tsx';
import { SearchResults } from './search-results.tsx';
import { ContinueWithMenu } from './continue-with-menu.tsx';
import { type ZoomedAsset, ZoomSiblings } from './image-zoom.tsx';
import { cx } from '#web/ui/cx.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';

const ReceivedFiles = lazyComponent(async () => (await import('./received-files.tsx')).ReceivedFiles);
const AddedOutput = lazyComponent(async () => (await import('./added-output.tsx')).AddedOutput);

/** Several results of one generation are enlarged one after another; one of a group belongs to the group. */
const withSiblings = (images: readonly ZoomedAsset[] | null, children: ReactNode) =>
  images ? <ZoomSiblings value={images}>{children}</ZoomSiblings> : children;

export function GenerationOutputs({
  generation,
  maxHeight,
}: {
  generation: Generation;
  maxHeight?: string | undefined;
}) {
  const { assets, data, files: received } = generation.output;
  if (generation.task === 'social.search')
    return <SearchResults data={data} generationId={generation.id} usage={generation.usage} />;
  const scenes = readScenes(data);
  if (scenes.length > 0) return <SceneStrip generationId={generation.id} assets={assets} scenes={scenes} />;
  const several = assets.length > 1;
  const images = assets.flatMap((asset, index) =>
    asset.type === 'image' && !asset.removed_at ? [{ ...asset, label: `Result ${index + 1}` }] : [],
  );
  const files = withSiblings(
    several ? images : null,
    <ul className={cx('grid gap-3', several && 'grid-cols-1 sm:grid-cols-2')}>
      {assets.map((asset, index) => {
        const name = `Result ${index + 1}`;
        return (
          <li key={asset.id} className="min-w-0">
            <AssetView asset={asset} label={several ? name : 'Result'} maxHeight={maxHeight} />
            {several ? (
              <div className="mt-1 flex items-center gap-1 text-xs text-ink-3 tabular-nums">
                <span className="min-w-0 flex-1 truncate">{name}</span>
                {asset.removed_at ? null : (
                  <>
                    <ContinueWithMenu
                      compact
                      generationId={generation.id}
                      type={asset.type}
                      which={{ asset: index, mediaId: asset.id }}
                    />
                    <DownloadLink url={asset.url} label={`Download ${name.toLowerCase()}`} />
                  </>
                )}
              </div>
            ) : null}
          </li>
        );
      })}
    </ul>,
  );
  const hasAddedOutput = generation.model_version !== undefined && data !== null;
  if (!hasAddedOutput && received === undefined) return files;
  return (
    <div className="flex flex-col gap-3">
      {assets.length > 0 ? files : null}
      {received ? <ReceivedFiles files={received} fallback={<Skeleton className="h-14 rounded-md" />} /> : null}
      {hasAddedOutput ? <AddedOutput data={data} fallback={<Skeleton className="h-24 rounded-md" />} /> : null}
    </div>
  );
}
