import { RotateCcw, Square } from 'lucide-react';
import type { Generation } from '#contract/resources/generation.ts';
import { DownloadLink } from '#web/media/outputs/download-link.tsx';
import { canCancelGeneration, canRetryGeneration, type GenerationActions } from './use-generation-actions.ts';
import { IconButton } from '#web/ui/icon-button.tsx';

export function RowAction({ generation, actions }: { generation: Generation; actions: GenerationActions }) {
  const [asset] = generation.output.assets;
  if (actions.canChange && canCancelGeneration(generation))
    return (
      <IconButton
        label="Cancel"
        icon={<Square aria-hidden="true" className="size-3.5 fill-current" />}
        onClick={() => void actions.cancel(generation)}
      />
    );
  if (actions.canChange && canRetryGeneration(generation))
    return (
      <IconButton
        label="Try again"
        busy={actions.starting.has(generation.id)}
        icon={<RotateCcw aria-hidden="true" className="size-4" />}
        onClick={() => void actions.retry(generation)}
      />
    );
  if (!asset || asset.removed_at) return null;
  return <DownloadLink url={asset.url} size="md" />;
}
