import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, PenLine, RotateCcw, Square, Workflow } from 'lucide-react';
import type { Generation } from '#contract/resources/generation.ts';
import { downloadHref } from '#web/media/outputs/download-link.tsx';
import { canCancelGeneration, canRetryGeneration, useGenerationActions } from '../use-generation-actions.ts';
import { attemptsQuery } from '#web/api/queries/attempts.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { ShareButton } from '#web/forms/shares/share-button.tsx';
import { ContinueWithMenu } from '#web/media/outputs/continue-with-menu.tsx';
import type { ReactNode } from 'react';
import { createPageLink } from '#web/api/create-page-link.ts';

const icon = 'size-4';

export function GenerationDetailsActions({ generation }: { generation: Generation }) {
  const { cancel, retry, starting, canChange, askDialog } = useGenerationActions();
  const { data: attempts } = useQuery(attemptsQuery(generation));
  const isNewest = attempts === undefined || attempts.at(-1)?.id === generation.id;
  // Retrying the same input would fail again, so editing it comes first.
  const mustChange = generation.status === 'failed' && generation.error?.retryable === false;
  const files = generation.output.assets.filter(({ removed_at }) => !removed_at);
  const file = generation.output.assets.length === 1 ? files[0] : undefined;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {askDialog}
      {canChange && canCancelGeneration(generation) ? (
        <Button
          icon={<Square aria-hidden="true" className="size-3.5 fill-current" />}
          onClick={() => void cancel(generation)}
        >
          Cancel
        </Button>
      ) : null}
      {canChange && canRetryGeneration(generation) && isNewest ? (
        <Button
          variant={mustChange || file ? 'secondary' : 'primary'}
          busy={starting.has(generation.id)}
          icon={<RotateCcw aria-hidden="true" className={icon} />}
          onClick={() => void retry(generation)}
        >
          Try again
        </Button>
      ) : null}
      {file ? (
        <a href={downloadHref(file.url)} download className={buttonClass({ variant: 'primary' })}>
          <Download aria-hidden="true" className={icon} />
          Download
        </a>
      ) : null}
      {files.length > 0 ? <ShareButton mediaIds={files.map(({ id }) => id)} /> : null}
      {file ? (
        <ContinueWithMenu generationId={generation.id} type={file.type} which={{ asset: 0, mediaId: file.id }} />
      ) : null}
      {canChange ? (
        <ReuseSettingsLink
          generation={generation}
          className={buttonClass({ variant: mustChange ? 'primary' : 'secondary' })}
        >
          <PenLine aria-hidden="true" className={icon} />
          Reuse settings
        </ReuseSettingsLink>
      ) : null}
      {canChange && generation.status === 'succeeded' ? (
        <Link to="/workflows/new" search={{ from: generation.id }} className={buttonClass()}>
          <Workflow aria-hidden="true" className={icon} />
          Save as workflow
        </Link>
      ) : null}
    </div>
  );
}

interface ReuseSettingsLinkProps {
  generation: Generation;
  className?: string;
  children: ReactNode;
}

function ReuseSettingsLink({ generation: { id, task, model }, className, children }: ReuseSettingsLinkProps) {
  return (
    <Link {...createPageLink(task, model)} search={{ from: id }} className={className}>
      {children}
    </Link>
  );
}
