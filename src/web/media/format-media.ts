import { type ReferenceInfo, serviceMediaId } from '#web/api/reference-info.ts';

/** "12.4 s", "1:05", "1:02:05". */
export function formatMediaDuration(seconds: number): string {
  if (seconds < 60) return `${Number(seconds.toFixed(1))} s`;
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const used = parts[0] ? parts : parts.slice(1);
  return used.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/** "820 kB", "12.4 MB". */
export function formatFileSize(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1000))} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Name of a reference: its file name, else the host of its URL. */
export function referenceName(url: string, info: ReferenceInfo | undefined, own: boolean): string {
  if (info?.name) return info.name;
  if (own) return serviceMediaId(url)?.startsWith('upl_') ? 'Upload' : 'Result';
  return URL.canParse(url) ? new URL(url).hostname : url;
}

/** "1920 × 1080 · 12.4 s"; unknown parts are left out. */
export function formatMediaMeasures(info: ReferenceInfo | undefined): string {
  if (!info) return '';
  const size = info.width && info.height ? `${info.width} × ${info.height}` : '';
  const length = info.duration_seconds === null ? '' : formatMediaDuration(info.duration_seconds);
  return [size, length].filter(Boolean).join(' · ');
}
