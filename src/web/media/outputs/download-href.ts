import { assetSrc, serviceMediaSrc } from '#web/api/reference-info.ts';

/** Download URL of an output. Only media of the service can be requested as an attachment. */
export function downloadHref(url: string): string {
  const own = serviceMediaSrc(url);
  if (own === null) return assetSrc(url);
  return `${own}${own.includes('?') ? '&' : '?'}download=1`;
}
