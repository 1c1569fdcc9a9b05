import { assetSrc, serviceMediaSrc } from '#web/api/reference-info.ts';

/** Only media of the service can be requested as an attachment. */
export function downloadHref(url: string): string {
  const src = serviceMediaSrc(url);
  if (src === null) return assetSrc(url);
  return `${src}${src.includes('?') ? '&' : '?'}download=1`;
}
