import { Download, RotateCcw, Square } from 'lucide-react';
import type { Generation } from '#contract/resources/generation.ts';
import { downloadHref } from '#web/outputs/download-href.ts';
import { canCancel, canRetry, type GenerationActions } from './use-generation-actions.ts';
import { IconButton } from '#web/ui/icon-button.tsx';

const iconLink =
  'inline-flex size-9 flex-none items-center justify-center rounded-md text-ink-2 transition-colors hover:bg-hover hover:text-ink pointer-coarse:size-11';

/** What is most wanted of a generation in its state: stop it, start it again, or save what it made. */
export function RowAction({ generation, actions }: { generation: Generation; actions: GenerationActions }) {
  const [asset] = generation.output.assets;
  if (canCancel(generation))
    return (
      <IconButton
        label="Cancel"
        icon={<Square aria-hidden="true" className="size-3.5 fill-current" />}
        onClick={() => void actions.cancel(generation)}
      />
    );
  if (canRetry(generation))
    return (
      <IconButton
        label="Try again"
        busy={actions.starting.has(generation.id)}
        icon={<RotateCcw aria-hidden="true" className="size-4" />}
        onClick={() => void actions.retry(generation)}
      />
    );
  if (!asset) return null;
  return (
    <a href={downloadHref(asset.url)} download data-tooltip="Download" aria-label="Download" className={iconLink}>
      <Download aria-hidden="true" className="size-4" />
    </a>
  );
}
