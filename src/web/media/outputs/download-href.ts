import { assetSrc, serviceMediaSrc } from '#web/api/reference-info.ts';

/** Where to save an output from: the service's own media are asked for as an attachment, others as they are. */
export function downloadHref(url: string): string {
  const own = serviceMediaSrc(url);
  if (own === null) return assetSrc(url);
  return `${own}${own.includes('?') ? '&' : '?'}download=1`;
}
