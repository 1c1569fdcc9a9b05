import { createAtom, useSelector } from '@tanstack/react-store';
import { MEDIA_PATH } from '#contract/reference-url.ts';
import type { Asset } from '#contract/resources/generation.ts';
import type { ReferenceCheck } from '#contract/resources/reference-check.ts';
import type { MediaItem } from '#contract/resources/media.ts';
import type { Upload } from '#contract/resources/upload.ts';
import { createTabStorage } from './tab-storage.ts';

/** What is known of a medium behind a reference URL. */
export interface ReferenceInfo {
  name: string | null;
  width: number | null;
  height: number | null;
  duration_seconds: number | null;
  derivatives?: Asset['derivatives'];
}

const infoByUrl = createTabStorage<ReferenceInfo>('emulsion.media', 300);
const serviceOrigins = createTabStorage<string>('emulsion.service', 1);
/** Counts the changes of `infoByUrl`. */
const revision = createAtom(0);

/** The service's own address while it is run without TLS: that of the media it hands out, else the page's. */
export function localServiceOrigin(): string | null {
  const place = serviceOrigins.get('origin') ?? globalThis.location?.origin ?? '';
  return place.startsWith('http:') ? place : null;
}

/** Takes note of where the service keeps its media, from a URL that it gave. */
export function cacheServiceOrigin(url: string): void {
  if (!URL.canParse(url)) return;
  const { origin, pathname, protocol } = new URL(url);
  if (protocol === 'http:' && pathname.startsWith(MEDIA_PATH)) serviceOrigins.set('origin', origin);
}

/**
 * Remembers what the service said of a medium, so that a reference to it can be shown.
 * @param prompt of the generation that a result belongs to, where the medium itself does not say
 */
export function cacheMediaInfo(medium: Upload | Asset | MediaItem, prompt: string | null = null): void {
  const { url, width, height, duration_seconds, derivatives } = medium;
  cacheServiceOrigin(url);
  const filename = 'filename' in medium ? medium.filename : null;
  const own_prompt = 'generation' in medium ? medium.generation?.prompt : null;
  infoByUrl.set(url, { name: filename || own_prompt || prompt || null, width, height, duration_seconds, derivatives });
  revision.set((count) => count + 1);
}

/** Remembers what a check found behind a link to another server. */
export function cacheLinkInfo({ url, width, height, duration_seconds }: ReferenceCheck): void {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  // Unlike `decodeURIComponent`, this leaves a stray percent sign as it is.
  const name = new URLSearchParams(`name=${last.replaceAll('+', '%2B')}`).get('name');
  infoByUrl.set(url, { name: name || null, width, height, duration_seconds });
  revision.set((count) => count + 1);
}

/** What is known of the medium at a URL; undefined where nothing is. */
export const getReferenceInfo = (url: string): ReferenceInfo | undefined => infoByUrl.get(url);

export const useReferenceInfo = (url: string): ReferenceInfo | undefined =>
  useSelector(revision, () => infoByUrl.get(url));

/**
 * Where the browser may load a reference from: the service's own media through this page's origin. Null for addresses
 * elsewhere, which are not loaded just for being named.
 */
export function serviceMediaSrc(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { origin, pathname, search } = new URL(url);
  const own = origin === globalThis.location?.origin || origin === localServiceOrigin();
  return own && pathname.startsWith(MEDIA_PATH) ? pathname + search : null;
}

/** Where the browser loads an output of the service from. */
export const assetSrc = (url: string): string => serviceMediaSrc(url) ?? url;
