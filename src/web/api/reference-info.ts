import { createAtom, useSelector } from '@tanstack/react-store';
import { MEDIA_PATH, needsOwnOrigin } from '#contract/reference-url.ts';
import type { Asset } from '#contract/resources/generation.ts';
import type { ReferenceCheck } from '#contract/resources/reference.ts';
import type { MediaItem } from '#contract/resources/media.ts';
import type { Upload } from '#contract/resources/upload.ts';
import { createTabStorage } from './tab-storage.ts';

export interface ReferenceInfo {
  name: string | null;
  width: number | null;
  height: number | null;
  duration_seconds: number | null;
  derivatives?: Asset['derivatives'];
}

const infoByUrl = createTabStorage<ReferenceInfo>('emulsion.media', 300);
const ORIGIN_KEY = 'emulsion.service';
let serviceOrigin = readOrigin();
const revision = createAtom(0);

/** The service's own origin where its links need it to be references: that of its media URLs, else the page's. */
export function localServiceOrigin(): string | null {
  const place = serviceOrigin ?? globalThis.location?.origin ?? '';
  return place !== '' && needsOwnOrigin(place) ? place : null;
}

/** Caches the origin of the service's media from one of its URLs. */
export function cacheServiceOrigin(url: string): void {
  if (!URL.canParse(url)) return;
  const { origin, pathname } = new URL(url);
  if (needsOwnOrigin(origin) && pathname.startsWith(MEDIA_PATH)) writeOrigin(origin);
}

/** Of the last visit: drafts of before have references to it. */
function readOrigin(): string | null {
  try {
    return localStorage.getItem(ORIGIN_KEY);
  } catch {
    return null;
  }
}

function writeOrigin(origin: string): void {
  if (origin === serviceOrigin) return;
  serviceOrigin = origin;
  try {
    localStorage.setItem(ORIGIN_KEY, origin);
  } catch {
    // Storage is forbidden: the origin is known again after the next response.
  }
}

/**
 * Caches what the service returned about media, so that a reference to it can be shown.
 * @param prompt the generation's prompt, for a result that does not contain it
 */
export function cacheMediaInfo(medium: Upload | Asset | MediaItem, prompt: string | null = null): void {
  const { url, width, height, duration_seconds, derivatives } = medium;
  cacheServiceOrigin(url);
  const ownName = ('name' in medium && medium.name) || ('filename' in medium && medium.filename) || null;
  const ownPrompt = 'generation' in medium ? medium.generation?.prompt : null;
  infoByUrl.set(url, { name: ownName || ownPrompt || prompt || null, width, height, duration_seconds, derivatives });
  revision.set((count) => count + 1);
}

export function cacheLinkInfo({ url, width, height, duration_seconds }: ReferenceCheck): void {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  // Unlike `decodeURIComponent`, this leaves a stray percent sign unchanged.
  const name = new URLSearchParams(`name=${last.replaceAll('+', '%2B')}`).get('name');
  infoByUrl.set(url, { name: name || null, width, height, duration_seconds });
  revision.set((count) => count + 1);
}

export const getReferenceInfo = (url: string): ReferenceInfo | undefined => infoByUrl.get(url);

export const useReferenceInfo = (url: string): ReferenceInfo | undefined =>
  useSelector(revision, () => infoByUrl.get(url));

/** The ID of the service's own medium behind a reference. Null for files elsewhere. */
export function serviceMediaId(url: string): string | null {
  const path = serviceMediaSrc(url)?.slice(MEDIA_PATH.length) ?? '';
  return /^(?:ast|upl)_\w{26}(?=\?|$)/.exec(path)?.[0] ?? null;
}

/**
 * The URL from which the browser may load a reference: the service's own media, through this page's origin. Null for
 * other origins, which are not loaded merely because an input names them.
 */
export function serviceMediaSrc(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { origin, pathname, search } = new URL(url);
  const own = origin === globalThis.location?.origin || origin === localServiceOrigin();
  return own && pathname.startsWith(MEDIA_PATH) ? pathname + search : null;
}

export const assetSrc = (url: string): string => serviceMediaSrc(url) ?? url;
