import { Link } from '@tanstack/react-router';
import { Download, PenLine } from 'lucide-react';
import type { Generation } from '#contract/resources/generation.ts';
import { assetSrc } from '#web/forms/media-info.ts';
import { downloadHref } from '#web/outputs/download-href.ts';
import { UseAsMenu } from '#web/outputs/use-as-menu.tsx';
import { createAddress } from '#web/shell/create-address.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';

/** What can be done with what was made. */
export function ResultActions({ generation }: { generation: Generation }) {
  const { id, task, model, output } = generation;
  const [asset, ...others] = output.assets;
  const file = others.length === 0 && !asset?.removed_at ? asset : undefined;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {file ? (
        <a href={downloadHref(file.url)} download className={buttonClass()}>
          <Download aria-hidden="true" className="size-4" />
          Download
        </a>
      ) : null}
      {file ? <UseAsMenu generationId={id} type={file.type} which={{ asset: 0 }} /> : null}
      <Link {...createAddress(task, model)} search={{ from: id }} className={buttonClass()}>
        <PenLine aria-hidden="true" className="size-4" />
        Edit and run again
      </Link>
      {file ? <CopyButton text={new URL(assetSrc(file.url), window.location.href).href} label="Copy link" /> : null}
    </div>
  );
}
