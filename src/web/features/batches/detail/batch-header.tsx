import { CirclePause, Download, Play, RotateCcw, Square } from 'lucide-react';
import { useState } from 'react';
import type { Batch } from '#contract/resources/batch.ts';
import { ExportButton } from '#web/collections/export-button.tsx';
import { RowCreator } from '#web/collections/creator.tsx';
import { type BatchChange, downloadBatchResults, useChangeBatch } from '#web/api/queries/batches.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { useCommands } from '#web/ui/hooks/commands.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { showError, toastError } from '#web/ui/overlays/toast-error.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { BatchStatusBadge, batchName } from '../batch-labels.tsx';
import { useCanContinue } from './use-can-continue.ts';
import { BatchDialog } from './batch-dialog.tsx';
import type { Asset } from '#contract/resources/generation.ts';
import type { ResponseOf } from '#contract/api/endpoints.ts';
import { api } from '#web/api/api.ts';
import { MAX_ARCHIVE_FILES } from '#web/api/queries/media-mutations.ts';
import { useMediaDownload } from '#web/media/library/selection/use-media-download.ts';

export function BatchHeader({ batch }: { batch: Batch }) {
  const title = batchName(batch);
  return (
    <header className="flex flex-wrap items-start gap-x-6 gap-y-3">
      <title>{`${title} · Emulsion`}</title>
      <div className="min-w-0 flex-[1_1_18rem]">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 tabIndex={-1} className="text-xl font-semibold tracking-[-0.015em] wrap-anywhere outline-none">
            {title}
          </h1>
          <BatchStatusBadge status={batch.status} />
        </div>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-ink-2">
          <span>
            Started <RelativeTime at={batch.created_at} />
          </span>
          <RowCreator created_by={batch.created_by} />
        </p>
      </div>
      <BatchActions batch={batch} />
    </header>
  );
}

function BatchActions({ batch }: { batch: Batch }) {
  const [dialog, setDialog] = useState<'resume' | 'cancel' | null>(null);
  const canChange = useCan('work.create');
  const canContinue = useCanContinue(batch);
  const { mutate, isPending, variables } = useChangeBatch();
  const { downloadZip, isPreparing } = useDownloadResults(batch.id);
  const { status, counts } = batch;
  const change = (next: BatchChange, failed: string) =>
    mutate({ id: batch.id, ...next }, { onError: toastError(failed) });
  const isBusy = (action: BatchChange['action']) => isPending && variables.action === action;
  const pause = () => change({ action: 'pause' }, 'Could not pause');
  const retry = () => change({ action: 'retry' }, 'Could not retry');
  const canPause = canChange && status === 'running' && counts.waiting > 0;
  const canResume = canContinue && status === 'paused';
  const canCancel = canChange && (counts.waiting > 0 || counts.active > 0);
  const canRetry = canContinue && counts.failed > 0 && status !== 'canceled';
  const group = 'Batches';
  useCommands([
    ...(canPause ? [{ group, label: 'Pause the batch', keys: 'p', run: pause }] : []),
    ...(canResume ? [{ group, label: 'Resume the batch…', keys: 'p', run: () => setDialog('resume') }] : []),
    ...(canCancel ? [{ group, label: 'Cancel the batch…', keys: 'c', run: () => setDialog('cancel') }] : []),
    ...(canRetry ? [{ group, label: 'Retry failed orders', keys: 'r', run: retry }] : []),
  ]);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {canResume ? (
        <Button
          variant="primary"
          icon={<Play aria-hidden="true" className="size-4 fill-current" />}
          onClick={() => setDialog('resume')}
        >
          Resume…
        </Button>
      ) : null}
      {canPause ? (
        <Button busy={isBusy('pause')} icon={<CirclePause aria-hidden="true" className="size-4" />} onClick={pause}>
          Pause
        </Button>
      ) : null}
      {canRetry ? (
        <Button busy={isBusy('retry')} icon={<RotateCcw aria-hidden="true" className="size-4" />} onClick={retry}>
          Retry {formatNumber(counts.failed)} failed
        </Button>
      ) : null}
      {canCancel ? (
        <Button
          icon={<Square aria-hidden="true" className="size-3.5 fill-current" />}
          onClick={() => setDialog('cancel')}
        >
          Cancel…
        </Button>
      ) : null}
      {counts.succeeded > 0 ? (
        <Button
          busy={isPreparing}
          icon={<Download aria-hidden="true" className="size-4" />}
          onClick={() => void downloadZip()}
        >
          Download results
        </Button>
      ) : null}
      <ExportButton label="CSV" name={`${batch.id}.csv`} read={() => downloadBatchResults(batch.id)} />
      {dialog ? <BatchDialog kind={dialog} batch={batch} onClose={() => setDialog(null)} /> : null}
    </div>
  );
}

async function loadResults(batchId: string): Promise<Asset[]> {
  const assets: Asset[] = [];
  let cursor: string | null = null;
  do {
    const page: ResponseOf<'list_batch_orders'> = await api.call('list_batch_orders', {
      params: { batch_id: batchId },
      query: { limit: 100, status: 'succeeded', ...(cursor ? { cursor } : {}) },
    });
    for (const { generation } of page.data)
      assets.push(...(generation?.output.assets ?? []).filter(({ removed_at }) => !removed_at));
    cursor = page.next_cursor;
  } while (cursor !== null && assets.length < MAX_ARCHIVE_FILES);
  return assets;
}

/** Downloads all results of a batch, several as a ZIP file. */
function useDownloadResults(batchId: string) {
  const { download, isPending } = useMediaDownload();
  const [isLoading, setIsLoading] = useState(false);
  const downloadZip = async () => {
    if (isLoading || isPending) return;
    setIsLoading(true);
    try {
      const assets = await loadResults(batchId);
      if (assets.length === 0) showToast({ title: 'No files', detail: 'The results were deleted, or have no files.' });
      else await download(assets.slice(0, MAX_ARCHIVE_FILES));
      if (assets.length > MAX_ARCHIVE_FILES)
        showToast({
          title: `The first ${formatNumber(MAX_ARCHIVE_FILES)} files`,
          detail: 'Download the others from the library.',
        });
    } catch (error) {
      showError('Download failed', error);
    }
    setIsLoading(false);
  };
  return { downloadZip, isPreparing: isLoading || isPending };
}
