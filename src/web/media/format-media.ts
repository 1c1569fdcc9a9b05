import type { MediaKind } from '#contract/task.ts';
import { type ReferenceInfo, serviceMediaId } from '#web/api/reference-info.ts';

export const MEDIA_NOUNS = {
  image: ['image', 'images'],
  video: ['video', 'videos'],
  audio: ['sound', 'sounds'],
} as const satisfies Record<MediaKind, readonly [one: string, many: string]>;

export const mediaNounWithArticle = (media: MediaKind): string =>
  `${media === 'image' ? 'an' : 'a'} ${MEDIA_NOUNS[media][0]}`;

export function formatMediaDuration(seconds: number): string {
  if (seconds < 60) return `${Number(seconds.toFixed(1))} s`;
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shownParts = parts[0] ? parts : parts.slice(1);
  return shownParts.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

export function formatFileSize(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1000))} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function referenceName(url: string, info: ReferenceInfo | undefined, isStored: boolean): string {
  if (info?.name) return info.name;
  if (isStored) return serviceMediaId(url)?.startsWith('upl_') ? 'Upload' : 'Result';
  return URL.canParse(url) ? new URL(url).hostname : url;
}

export function formatMediaMeasures(info: ReferenceInfo | undefined): string {
  if (!info) return '';
  const size = info.width && info.height ? `${info.width} × ${info.height}` : '';
  const length = info.duration_seconds === null ? '' : formatMediaDuration(info.duration_seconds);
  return [size, length].filter(Boolean).join(' · ');
}

export function formatClipTime(seconds: number): string {
  const hundredths = Math.floor(seconds * 100 + 1e-6);
  const rest = hundredths % 6000;
  return `${Math.floor(hundredths / 6000)}:${String(Math.floor(rest / 100)).padStart(2, '0')}.${String(rest % 100).padStart(2, '0')}`;
}
