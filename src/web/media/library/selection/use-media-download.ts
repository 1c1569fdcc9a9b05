import { assetSrc } from '#web/api/reference-info.ts';
import { downloadHref } from '../../outputs/download-link.tsx';
import { formatFileCount } from '../media-labels.ts';
import { formatFileSize } from '../../format-media.ts';
import { useArchiveMedia } from '#web/api/queries/media-mutations.ts';
import type { MediaItem } from '#contract/resources/media.ts';
import { showError } from '#web/ui/overlays/toast-error.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';

function triggerDownload(href: string, name = ''): void {
  const link = Object.assign(document.createElement('a'), { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}

export function useMediaDownload() {
  const { mutateAsync, isPending } = useArchiveMedia();
  const downloadArchive = async (media: readonly Pick<MediaItem, 'id'>[], isBare: boolean) => {
    try {
      const { url, filename, count, size_bytes, missing_ids } = await mutateAsync({
        ids: media.map(({ id }) => id),
        isBare,
      });
      const missing = missing_ids.length;
      triggerDownload(assetSrc(url), filename);
      showToast({
        title: `Download started: ${formatFileCount(count)}, ${formatFileSize(size_bytes)}`,
        detail:
          missing > 0
            ? `${formatFileCount(missing)} of them ${missing === 1 ? 'was' : 'were'} already deleted.`
            : undefined,
        tone: 'good',
        action: { label: 'Download again', onPress: () => triggerDownload(assetSrc(url), filename) },
      });
    } catch (error) {
      showError('Download failed', error);
    }
  };
  return {
    async download(media: readonly Pick<MediaItem, 'id' | 'url'>[]) {
      const [first, ...others] = media;
      if (first && others.length === 0) triggerDownload(downloadHref(first.url));
      else await downloadArchive(media, false);
    },
    /** Downloads a ZIP without content credentials. */
    downloadBare: (media: readonly Pick<MediaItem, 'id'>[]) => downloadArchive(media, true),
    isPending,
  };
}
