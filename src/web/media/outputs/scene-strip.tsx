import { type KeyboardEvent, useState } from 'react';
import { Clapperboard } from 'lucide-react';
import type { Asset } from '#contract/resources/generation.ts';
import { mediaDragProps } from '../media-drag.ts';
import { AssetView } from './asset-view.tsx';
import { DownloadLink } from './download-link.tsx';
import { type Scene, formatTimeRange } from './read-output-data.ts';
import { useClientThumbnail } from './use-client-thumbnail.ts';
import { ContinueWithMenu } from './continue-with-menu.tsx';
import { cx } from '#web/ui/cx.ts';

export interface SceneStripProps {
  generationId: string;
  assets: readonly Asset[];
  scenes: readonly Scene[];
}

export function SceneStrip({ generationId, assets, scenes }: SceneStripProps) {
  const [selected, setSelected] = useState(0);
  const asset = assets[selected];
  const name = `Scene ${selected + 1}`;
  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const steps: Record<string, number> = {
      ArrowLeft: selected - 1,
      ArrowRight: selected + 1,
      Home: 0,
      End: assets.length - 1,
    };
    const next = steps[event.key];
    if (next === undefined || !assets[next]) return;
    event.preventDefault();
    setSelected(next);
    event.currentTarget.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {asset ? <AssetView key={asset.id} asset={asset} label={name} /> : null}
      {asset ? (
        <div className="flex flex-wrap items-center gap-2 text-sm tabular-nums">
          <p className="min-w-48 flex-1">
            <span className="font-medium">{name}</span>{' '}
            <span className="text-ink-3">
              of {assets.length} · {sceneTimeRange(scenes, selected)}
            </span>
          </p>
          {asset.removed_at ? null : (
            <>
              <ContinueWithMenu
                generationId={generationId}
                type={asset.type}
                which={{ asset: selected, mediaId: asset.id }}
              />
              <DownloadLink url={asset.url} label={`Download ${name.toLowerCase()}`} size="md" />
            </>
          )}
        </div>
      ) : null}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys move between the buttons */}
      <ul aria-label="Scenes" onKeyDown={onKeyDown} className="-mx-1 flex snap-x gap-1.5 overflow-x-auto p-1">
        {assets.map((scene, index) => (
          <li key={scene.id} className="w-28 flex-none snap-start">
            <button
              type="button"
              {...mediaDragProps(scene)}
              aria-pressed={index === selected}
              onClick={() => setSelected(index)}
              className={cx(
                'block w-full overflow-hidden rounded-sm border text-left transition-colors',
                index === selected ? 'border-amber outline-1 outline-amber' : 'border-line hover:border-line-strong',
              )}
            >
              <SceneThumbnail asset={scene} />
              <span className="block truncate px-1.5 py-1 text-2xs text-ink-2 tabular-nums">
                <span className="sr-only">Scene </span>
                {index + 1} <span className="text-ink-3">{sceneTimeRange(scenes, index)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function sceneTimeRange(scenes: readonly Scene[], index: number): string {
  const scene = scenes.find(({ asset_index }) => asset_index === index);
  return scene ? formatTimeRange(scene.start_seconds, scene.end_seconds) : '';
}

function SceneThumbnail({ asset }: { asset: Asset }) {
  const src = useClientThumbnail(asset);
  return (
    <span className="flex aspect-video w-full items-center justify-center bg-sunken text-ink-3">
      {src ? (
        <img src={src} alt="" draggable={false} className="size-full object-cover" />
      ) : (
        <Clapperboard aria-hidden="true" className="size-4 stroke-[1.5]" />
      )}
    </span>
  );
}
