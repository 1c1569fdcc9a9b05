import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Columns2, Info, Sparkles, Star, Trash2 } from 'lucide-react';
import { formatMoney, parseUsd } from '#contract/money.ts';
import type { Asset, Generation } from '#contract/resources/generation.ts';
import { modelsQuery } from '#web/api/queries/catalog.ts';
import { mediaQuery } from '#web/api/queries/media-detail.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { useMoveToTrash } from '#web/media/library/selection/use-move-to-trash.ts';
import { useToggleStar } from '#web/media/library/use-toggle-star.ts';
import { ContinueWithMenu } from '#web/media/outputs/continue-with-menu.tsx';
import { DownloadLink } from '#web/media/outputs/download-link.tsx';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { MORE_COUNT, moreLikeThis } from './more-like-this.ts';
import { createVariations, startTogether } from './start-variations.ts';
import type { Comparison } from './variation-group.tsx';

interface VariationActionsProps {
  generation: Generation;
  number: number;
  comparison: Comparison;
}

/** What can be done with one of several results: keep it, discard it, compare it, or get more like it. */
export function VariationActions({ generation, number, comparison }: VariationActionsProps) {
  const can_create = useCan('work.create');
  const [asset] = generation.output.assets;
  const file = asset?.removed_at ? undefined : asset;
  return (
    <div className="flex min-h-15 flex-col gap-0.5">
      <div className="flex flex-wrap items-center gap-0.5">
        {file && can_create ? <KeepAndDiscard asset={file} number={number} /> : null}
        {file && file.type !== 'audio' ? (
          <IconButton
            size="sm"
            label={`Compare variation ${number}`}
            data-tooltip="Compare with another"
            pressed={comparison.selected === file.id}
            icon={<Columns2 aria-hidden="true" className="size-4" />}
            onClick={() => comparison.choose(file.id)}
          />
        ) : null}
        {file ? <DownloadLink url={file.url} label={`Download variation ${number}`} /> : null}
      </div>
      <div className="flex flex-wrap items-center gap-0.5">
        {can_create ? <MoreLikeThis generation={generation} /> : null}
        <span className="ml-auto flex items-center gap-0.5">
          {file ? (
            <ContinueWithMenu compact generationId={generation.id} type={file.type} which={{ asset: 0 }} />
          ) : null}
          <Link
            to="/generations/$id"
            params={{ id: generation.id }}
            aria-label={`Details of variation ${number}`}
            data-tooltip="Details"
            className="inline-flex size-7 flex-none items-center justify-center rounded-md text-ink-2 transition-colors hover:bg-hover hover:text-ink pointer-coarse:size-9"
          >
            <Info aria-hidden="true" className="size-4" />
          </Link>
        </span>
      </div>
    </div>
  );
}

function KeepAndDiscard({ asset, number }: { asset: Asset; number: number }) {
  const client = useQueryClient();
  const { data: medium } = useQuery(mediaQuery(asset.id));
  const toggleStar = useToggleStar();
  const moveToTrash = useMoveToTrash();
  const favourite = medium?.favourite ?? false;
  const keep = async () => {
    if (await toggleStar({ id: asset.id, favourite }))
      void client.invalidateQueries({ queryKey: mediaQuery(asset.id).queryKey });
  };
  return (
    <>
      <IconButton
        size="sm"
        label={`Keep variation ${number}`}
        data-tooltip={favourite ? 'Kept: remove the star' : 'Keep: add a star'}
        pressed={favourite}
        icon={<Star aria-hidden="true" className={favourite ? 'size-4 fill-amber text-amber-text' : 'size-4'} />}
        onClick={() => void keep()}
      />
      <IconButton
        size="sm"
        label={`Discard variation ${number}`}
        data-tooltip="Discard: move to the trash"
        icon={<Trash2 aria-hidden="true" className="size-4" />}
        onClick={() => void moveToTrash([asset.id], () => undefined)}
      />
    </>
  );
}

function MoreLikeThis({ generation }: { generation: Generation }) {
  const client = useQueryClient();
  const { data: models } = useQuery(modelsQuery);
  const price = formatMoney(parseUsd(generation.usage.amount_usd) * BigInt(MORE_COUNT));
  return (
    <Button
      size="sm"
      variant="ghost"
      className="-ml-0.5 px-1.5 tabular-nums"
      aria-label={`More like this, ${price}`}
      icon={<Sparkles aria-hidden="true" className="size-3.5 max-sm:hidden" />}
      data-tooltip={`Starts ${MORE_COUNT} more with these settings`}
      onClick={() => startTogether(client, createVariations(moreLikeThis(generation, models), MORE_COUNT))}
    >
      More<span className="max-sm:hidden"> like this</span> · {price}
    </Button>
  );
}
