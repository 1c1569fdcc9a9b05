import { useEffect, useState } from 'react';
import type { Asset } from '#contract/resources/generation.ts';
import { serviceMediaSrc } from '#web/api/reference-info.ts';
import { isScrollingFast } from './scroll-speed.ts';

export type ThumbnailSource = Pick<Asset, 'id' | 'type' | 'url' | 'width' | 'height'>;

const SIDE_PX = 448;
const MAX_CACHED = 600;
const SETTLE_MS = 120;
const VIDEO_TIMEOUT_MS = 15_000;

/** Object URLs by asset id; null if no thumbnail can be created. */
const thumbnailCache = new Map<string, string | null>();
const enqueue = createWorkQueue(2);

function cacheThumbnail(id: string, url: string | null) {
  thumbnailCache.set(id, url);
  const [oldest] = thumbnailCache;
  if (thumbnailCache.size <= MAX_CACHED || !oldest) return;
  thumbnailCache.delete(oldest[0]);
  if (oldest[1]) URL.revokeObjectURL(oldest[1]);
}

function resizeOptions({ width, height }: Pick<Asset, 'width' | 'height'>): ImageBitmapOptions {
  if (!width || !height || Math.min(width, height) <= SIDE_PX) return {};
  const side = width < height ? { resizeWidth: SIDE_PX } : { resizeHeight: SIDE_PX };
  return { ...side, resizeQuality: 'medium' };
}

async function decodeImage(src: string, asset: ThumbnailSource, signal: AbortSignal): Promise<ImageBitmap> {
  const response = await fetch(src, { signal, credentials: 'omit' });
  if (!response.ok) throw new Error(`Image not loaded: ${response.status}`);
  return createImageBitmap(await response.blob(), resizeOptions(asset));
}

async function decodeVideoFrame(src: string, asset: ThumbnailSource, signal: AbortSignal): Promise<ImageBitmap> {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.preload = 'auto';
  try {
    await new Promise<void>((resolve, reject) => {
      const aborted = AbortSignal.any([signal, AbortSignal.timeout(VIDEO_TIMEOUT_MS)]);
      aborted.addEventListener('abort', () => reject(aborted.reason), { once: true });
      video.addEventListener('loadeddata', () => resolve(), { once: true });
      video.addEventListener('error', () => reject(new Error('Video not loaded')), { once: true });
      // Many clips start with a black frame.
      video.src = `${src}#t=0.1`;
    });
    return await createImageBitmap(video, resizeOptions(asset));
  } finally {
    video.removeAttribute('src');
    video.load();
  }
}

async function createThumbnail(src: string, asset: ThumbnailSource, signal: AbortSignal): Promise<string> {
  const bitmap = await (asset.type === 'video' ? decodeVideoFrame : decodeImage)(src, asset, signal);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return URL.createObjectURL(await canvas.convertToBlob({ type: 'image/webp', quality: 0.85 }));
}

/**
 * Spares a long list full-size images and players. Null until ready, for audio and broken files; others' images as is.
 */
export function useClientThumbnail(asset: ThumbnailSource | undefined): string | null {
  const [created, setCreated] = useState<{ id: string; url: string | null }>();
  const id = asset?.type === 'audio' ? undefined : asset?.id;
  const src = asset ? serviceMediaSrc(asset.url) : null;
  useEffect(() => {
    if (!asset || id === undefined || src === null || thumbnailCache.has(id)) return;
    const control = new AbortController();
    const load = async () => {
      const url = await enqueue((signal) => createThumbnail(src, asset, signal), control.signal).catch(() => null);
      if (!control.signal.aborted) {
        cacheThumbnail(id, url);
        setCreated({ id, url });
      } else if (url) URL.revokeObjectURL(url);
    };
    const settle = () => {
      if (isScrollingFast()) timer = setTimeout(settle, SETTLE_MS);
      else void load();
    };
    let timer = setTimeout(settle, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [asset, id, src]);
  if (!asset || id === undefined) return null;
  if (src === null) return asset.type === 'image' ? asset.url : null;
  return created?.id === id ? created.url : (thumbnailCache.get(id) ?? null);
}

interface Job {
  start: () => void;
  signal: AbortSignal;
}

/** Runs the newest job first, because the media that became visible last matter most. */
export function createWorkQueue(concurrency: number) {
  const waiting: Job[] = [];
  let running = 0;

  const next = () => {
    while (running < concurrency) {
      const job = waiting.pop();
      if (!job) return;
      if (job.signal.aborted) continue;
      running += 1;
      job.start();
    }
  };

  return <T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      const start = () =>
        void work(signal)
          .then(resolve, reject)
          .finally(() => {
            running -= 1;
            next();
          });
      waiting.push({ start, signal });
      next();
    });
}
