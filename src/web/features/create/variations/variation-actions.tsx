import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Info, Sparkles } from 'lucide-react';
import { formatMoney, parseUsd } from '#contract/money.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { modelsQuery } from '#web/api/queries/catalog.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { ContinueWithMenu } from '#web/media/outputs/continue-with-menu.tsx';
import { DownloadLink } from '#web/media/outputs/download-link.tsx';
import { Button } from '#web/ui/button.tsx';
import { CompareButton, DiscardButton, StarButton } from '../result-buttons.tsx';
import { MORE_COUNT, moreLikeThis } from './more-like-this.ts';
import { createVariations, startTogether } from './start-variations.ts';
import type { Comparison } from '../use-comparison.ts';

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
        {file && can_create ? <StarButton asset={file} label={`Keep variation ${number}`} /> : null}
        {file && can_create ? <DiscardButton asset={file} label={`Discard variation ${number}`} /> : null}
        {file ? <CompareButton asset={file} label={`Compare variation ${number}`} comparison={comparison} /> : null}
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
