import { RotateCcw, Square } from 'lucide-react';
import type { Generation } from '#contract/resources/generation.ts';
import { ContinueWithMenu } from '#web/media/outputs/continue-with-menu.tsx';
import { DownloadLink } from '#web/media/outputs/download-link.tsx';
import { canCancelGeneration, canRetryGeneration, type GenerationActions } from './use-generation-actions.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';

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
  return (
    <span className="flex items-center justify-end">
      {generation.output.assets.length === 1 ? (
        <span className="max-md:hidden">
          <ContinueWithMenu
            compact
            generationId={generation.id}
            type={asset.type}
            which={{ asset: 0, mediaId: asset.id }}
          />
        </span>
      ) : null}
      <DownloadLink url={asset.url} size="md" />
    </span>
  );
}
