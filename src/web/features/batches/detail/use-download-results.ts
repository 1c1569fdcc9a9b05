import { useState } from 'react';
import type { Asset } from '#contract/resources/generation.ts';
import type { ResponseOf } from '#contract/endpoints.ts';
import { api } from '#web/api/api.ts';
import { MAX_ARCHIVE_FILES } from '#web/api/queries/media-mutations.ts';
import { useMediaDownload } from '#web/media/library/selection/use-media-download.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { showToast } from '#web/ui/toast-store.ts';

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
export function useDownloadResults(batchId: string) {
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
      showToast({ title: 'Download failed', detail: error instanceof Error ? error.message : undefined, tone: 'bad' });
    }
    setIsLoading(false);
  };
  return { downloadZip, isPreparing: isLoading || isPending };
}
