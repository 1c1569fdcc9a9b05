import { Download } from 'lucide-react';
import { assetSrc, serviceMediaSrc } from '#web/api/reference-info.ts';
import { cx } from '#web/ui/cx.ts';

export interface DownloadLinkProps {
  url: string;
  label?: string;
  size?: 'sm' | 'md';
}

export function DownloadLink({ url, label = 'Download', size = 'sm' }: DownloadLinkProps) {
  return (
    <a
      href={downloadHref(url)}
      download
      data-tooltip={label}
      aria-label={label}
      className={cx(
        'inline-flex flex-none items-center justify-center rounded-md text-ink-2 transition-colors hover:bg-hover hover:text-ink',
        size === 'sm' ? 'size-7 pointer-coarse:size-9' : 'size-9 pointer-coarse:size-11',
      )}
    >
      <Download aria-hidden="true" className="size-4" />
    </a>
  );
}

/** Only media of the service can be requested as an attachment. */
export function downloadHref(url: string): string {
  const src = serviceMediaSrc(url);
  if (src === null) return assetSrc(url);
  return `${src}${src.includes('?') ? '&' : '?'}download=1`;
}
