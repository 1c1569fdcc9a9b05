import type { ReceivedFile } from '#contract/resources/generation.ts';
import { formatFileSize } from '#web/media/format-media.ts';
import { DownloadLink } from './download-link.tsx';

/** Files of a result that can't be shown: for download only. */
export function ReceivedFiles({ files }: { files: readonly ReceivedFile[] }) {
  return (
    <ul aria-label="Files for download" className="flex flex-col divide-y divide-line rounded-md border border-line">
      {files.map(({ id, filename, size_bytes, reason, url }) => (
        <li key={id} className="flex items-center gap-3 px-3 py-2.5">
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium tabular-nums">
              {filename} · {formatFileSize(size_bytes)}
            </span>
            <span className="block text-sm text-ink-2">{reason}</span>
          </span>
          <DownloadLink url={url} label={`Download ${filename}`} />
        </li>
      ))}
    </ul>
  );
}
