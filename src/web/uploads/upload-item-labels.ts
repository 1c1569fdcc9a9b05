import { formatFileSize } from '#web/media/format-media.ts';
import type { SuspendReason, UploadItem, UploadItemState } from './upload-store.ts';

const SUSPEND_LABELS = {
  paused: () => 'Paused',
  offline: () => 'Waiting for a connection. Resumes automatically.',
  unreachable: () => 'The service can’t be reached. Retrying automatically.',
  postponed: ({ problem }) => `${problem ?? 'The service is busy.'} The file is still here. Retrying automatically.`,
  signed_out: () => 'Sign in again to resume',
} satisfies Record<SuspendReason, (item: UploadItem) => string>;

export function formatTimeLeft(seconds: number): string {
  if (seconds < 5) return 'a few seconds left';
  if (seconds < 55) return `${Math.ceil(seconds / 5) * 5} s left`;
  if (seconds < 3_300) return `about ${Math.max(1, Math.round(seconds / 60))} min left`;
  return `about ${Math.round(seconds / 3_600)} h left`;
}

function formatProgress(sent: number, total: number): string {
  const [part, whole] = [formatFileSize(sent), formatFileSize(total)];
  const unit = whole.slice(whole.indexOf(' '));
  return `${part.endsWith(unit) ? part.slice(0, -unit.length) : part} of ${whole}`;
}

export function formatTransferRate(leftBytes: number, bytesPerSecond: number | null): string[] {
  if (bytesPerSecond === null || bytesPerSecond <= 0) return [];
  return [`${formatFileSize(bytesPerSecond)}/s`, formatTimeLeft(leftBytes / bytesPerSecond)];
}

const STATE_LABELS = {
  waiting: ({ size_bytes }) => `${formatFileSize(size_bytes)} · Queued`,
  sending: ({ sentBytes, size_bytes, bytesPerSecond }) =>
    [formatProgress(sentBytes, size_bytes), ...formatTransferRate(size_bytes - sentBytes, bytesPerSecond)].join(' · '),
  checking: () => 'Processing…',
  suspended: (item) => {
    const { suspend_reason, sentBytes, size_bytes } = item;
    const part = sentBytes > 0 && suspend_reason === 'paused' ? formatProgress(sentBytes, size_bytes) : null;
    return [suspend_reason && SUSPEND_LABELS[suspend_reason](item), part].filter(Boolean).join(' · ');
  },
  lost: () => 'Choose this file again to resume. This page can no longer read it.',
  failed: ({ problem, can_retry }) =>
    [problem ?? 'Upload failed.', can_retry ? 'The file is still here.' : null].filter(Boolean).join(' '),
  done: ({ size_bytes }) => `${formatFileSize(size_bytes)} · Uploaded`,
} satisfies Record<UploadItemState, (item: UploadItem) => string>;

export const uploadItemLabel = (item: UploadItem): string => STATE_LABELS[item.state](item);

/** 0 to 1; null while the service validates the file. */
export const uploadProgress = ({ state, sentBytes, size_bytes }: UploadItem): number | null =>
  state === 'checking' ? null : size_bytes > 0 ? sentBytes / size_bytes : 0;

export interface UploadSummary {
  unfinished: number;
  paused: number;
  /** Failed or lost uploads. */
  problems: number;
  lost: number;
  done: number;
  progress: number;
  leftBytes: number;
  bytesPerSecond: number | null;
  /** null unless all unfinished uploads are suspended. */
  suspend_reason: SuspendReason | null;
}

export function summarizeUploads(list: readonly UploadItem[]): UploadSummary {
  const unfinished = list.filter(({ state }) => !['lost', 'failed', 'done'].includes(state));
  const counted = list.filter(({ state }) => state !== 'lost' && state !== 'failed');
  const sum = (items: readonly UploadItem[], read: (item: UploadItem) => number) =>
    items.reduce((total, each) => total + read(each), 0);
  const size = sum(counted, ({ size_bytes }) => size_bytes);
  const sent = sum(counted, ({ sentBytes }) => sentBytes);
  const speeds = unfinished.flatMap(({ bytesPerSecond }) => bytesPerSecond ?? []);
  const [first] = unfinished;
  return {
    unfinished: unfinished.length,
    paused: unfinished.filter(({ suspend_reason }) => suspend_reason === 'paused').length,
    problems: list.filter(({ state }) => state === 'lost' || state === 'failed').length,
    lost: list.filter(({ state }) => state === 'lost').length,
    done: list.filter(({ state }) => state === 'done').length,
    progress: size > 0 ? sent / size : 0,
    leftBytes: size - sent,
    bytesPerSecond: speeds.length > 0 ? speeds.reduce((total, speed) => total + speed, 0) : null,
    suspend_reason:
      first && unfinished.every(({ suspend_reason }) => suspend_reason !== null) ? first.suspend_reason : null,
  };
}

const formatFiles = (count: number) => (count === 1 ? '1 file' : `${count} files`);

const SUSPENDED_SUMMARIES = {
  paused: (count) => `${formatFiles(count)} paused`,
  offline: (count) => `${formatFiles(count)} waiting for a connection`,
  unreachable: (count) => `${formatFiles(count)} waiting for the service`,
  postponed: (count) => `${formatFiles(count)} will be retried`,
  signed_out: (count) => `${formatFiles(count)} waiting for you to sign in`,
} satisfies Record<SuspendReason, (count: number) => string>;

export function uploadSummaryLabel({ unfinished, problems, lost, done, suspend_reason }: UploadSummary): string {
  const suffix = problems === 0 ? '' : problems === 1 ? ' · 1 problem' : ` · ${problems} problems`;
  if (unfinished > 0)
    return `${suspend_reason ? SUSPENDED_SUMMARIES[suspend_reason](unfinished) : `Uploading ${formatFiles(unfinished)}`}${suffix}`;
  if (done > 0) return `${formatFiles(done)} uploaded${suffix}`;
  if (lost === problems) return `Choose ${formatFiles(lost)} again`;
  return problems === 1 ? '1 upload failed' : `${problems} uploads failed`;
}
