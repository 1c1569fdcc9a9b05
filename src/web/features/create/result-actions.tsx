import { Link } from '@tanstack/react-router';
import { Download, Info, PenLine } from 'lucide-react';
import type { Generation } from '#contract/resources/generation.ts';
import { assetSrc } from '#web/api/reference-info.ts';
import { DownloadLink, downloadHref } from '#web/media/outputs/download-link.tsx';
import { ContinueChips } from '#web/media/outputs/continue-chips.tsx';
import { ContinueWithMenu } from '#web/media/outputs/continue-with-menu.tsx';
import { createPageLink } from '#web/api/create-page-link.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { useCan } from '#web/api/queries/permissions.ts';
import { CompareButton, StarButton } from './result-buttons.tsx';
import type { Comparison } from './use-comparison.ts';

const iconLinkClass =
  'inline-flex size-7 flex-none items-center justify-center rounded-md text-ink-2 transition-colors hover:bg-hover hover:text-ink pointer-coarse:size-9';

interface ResultActionsProps {
  generation: Generation;
  compact: boolean;
  /** Set for results side by side. */
  comparison?: Comparison | undefined;
}

export function ResultActions({ generation, compact, comparison }: ResultActionsProps) {
  const canCreate = useCan('work.create');
  const { id, task, model, output } = generation;
  const [asset, ...otherAssets] = output.assets;
  const file = otherAssets.length === 0 && !asset?.removed_at ? asset : undefined;
  const reuseLink = { ...createPageLink(task, model), search: { from: id } } as const;
  if (compact)
    return (
      <div className="flex items-center gap-0.5">
        {file && canCreate ? <StarButton asset={file} label="Keep" /> : null}
        {file && comparison ? <CompareButton asset={file} label="Compare" comparison={comparison} /> : null}
        {file ? <DownloadLink url={file.url} /> : null}
        {file ? <ContinueWithMenu compact generationId={id} type={file.type} which={{ asset: 0 }} /> : null}
        <Link {...reuseLink} aria-label="Reuse settings" data-tooltip="Reuse settings" className={iconLinkClass}>
          <PenLine aria-hidden="true" className="size-4" />
        </Link>
        <Link
          to="/generations/$id"
          params={{ id }}
          aria-label="Details"
          data-tooltip="Details"
          className={iconLinkClass}
        >
          <Info aria-hidden="true" className="size-4" />
        </Link>
      </div>
    );
  return (
    <div className="flex flex-col gap-2.5">
      {file ? <ContinueChips generationId={id} type={file.type} which={{ asset: 0 }} /> : null}
      <div className="flex flex-wrap items-center gap-2">
        {file ? (
          <a href={downloadHref(file.url)} download className={buttonClass()}>
            <Download aria-hidden="true" className="size-4" />
            Download
          </a>
        ) : null}
        <Link {...reuseLink} className={buttonClass()}>
          <PenLine aria-hidden="true" className="size-4" />
          Reuse settings
        </Link>
        {file ? <CopyButton text={new URL(assetSrc(file.url), window.location.href).href} label="Copy link" /> : null}
      </div>
    </div>
  );
}
