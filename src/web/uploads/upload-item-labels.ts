import { formatFileSize } from '#web/media/format-media.ts';
import type { SuspendReason, UploadItem, UploadItemState } from './upload-store.ts';

const SUSPEND_LABELS = {
  paused: () => 'Paused',
  offline: () => 'Waits for the connection, then goes on by itself',
  unreachable: () => 'The service can’t be reached. Goes on by itself',
  postponed: ({ problem }) => `${problem ?? 'The service is busy.'} The file is still here and will be sent again.`,
  signed_out: () => 'Sign in again to go on',
} satisfies Record<SuspendReason, (sending: UploadItem) => string>;

/** "a few seconds left", "40 s left", "about 3 min left", "about 2 h left". */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 5) return 'a few seconds left';
  if (seconds < 55) return `${Math.ceil(seconds / 5) * 5} s left`;
  if (seconds < 3_300) return `about ${Math.max(1, Math.round(seconds / 60))} min left`;
  return `about ${Math.round(seconds / 3_600)} h left`;
}

/** "12.4 of 60.0 MB": the unit once where both have it. */
function formatPart(part: number, whole: number): string {
  const [of, all] = [formatFileSize(part), formatFileSize(whole)];
  const unit = all.slice(all.indexOf(' '));
  return of.endsWith(unit) ? `${of.slice(0, -unit.length)} of ${all}` : `${of} of ${all}`;
}

/** How fast, and how long it still takes; nothing while that is not known. */
export function formatTransferRate(left_bytes: number, bytes_per_second: number | null): string[] {
  if (bytes_per_second === null || bytes_per_second <= 0) return [];
  return [`${formatFileSize(bytes_per_second)}/s`, formatTimeLeft(left_bytes / bytes_per_second)];
}

const STATE_LABELS = {
  waiting: ({ size_bytes }) => `${formatFileSize(size_bytes)} · Waits for its turn`,
  sending: ({ sent_bytes, size_bytes, bytes_per_second }) =>
    [formatPart(sent_bytes, size_bytes), ...formatTransferRate(size_bytes - sent_bytes, bytes_per_second)].join(' · '),
  checking: () => 'All sent, being checked…',
  held: (sending) => {
    const { hold, sent_bytes, size_bytes } = sending;
    const part = sent_bytes > 0 && hold === 'paused' ? formatPart(sent_bytes, size_bytes) : null;
    return [hold && SUSPEND_LABELS[hold](sending), part].filter(Boolean).join(' · ');
  },
  lost: () => 'Choose the same file again to go on: this page can no longer read it.',
  failed: ({ problem, again }) =>
    [problem ?? 'The file did not arrive.', again ? 'The file is still here.' : null].filter(Boolean).join(' '),
  done: ({ size_bytes }) => `${formatFileSize(size_bytes)} · Uploaded`,
} satisfies Record<UploadItemState, (sending: UploadItem) => string>;

/** How far one is, or why it is not. */
export const uploadItemLabel = (sending: UploadItem): string => STATE_LABELS[sending.state](sending);

/** 0 to 1; null while the service looks at it. */
export const uploadProgress = ({ state, sent_bytes, size_bytes }: UploadItem): number | null =>
  state === 'checking' ? null : size_bytes > 0 ? sent_bytes / size_bytes : 0;

export interface UploadSummary {
  /** On their way or held up, in number. */
  moving: number;
  /** Of these, such as were paused. */
  paused: number;
  /** Need a person: failed, or the file is to be chosen again. */
  stuck: number;
  /** Of these, such as are to be chosen again. */
  lost: number;
  done: number;
  /** Of what moves, and what has arrived beside it, 0 to 1. */
  share: number;
  left_bytes: number;
  bytes_per_second: number | null;
  /** Why nothing of it goes on; null where something does. */
  hold: SuspendReason | null;
}

/** What a list comes to. */
export function summarizeUploads(list: readonly UploadItem[]): UploadSummary {
  const moves = list.filter(({ state }) => !['lost', 'failed', 'done'].includes(state));
  const counted = list.filter(({ state }) => state !== 'lost' && state !== 'failed');
  const sum = (of: readonly UploadItem[], read: (sending: UploadItem) => number) =>
    of.reduce((total, each) => total + read(each), 0);
  const size = sum(counted, ({ size_bytes }) => size_bytes);
  const sent = sum(counted, ({ sent_bytes }) => sent_bytes);
  const speeds = moves.flatMap(({ bytes_per_second }) => bytes_per_second ?? []);
  const [first] = moves;
  return {
    moving: moves.length,
    paused: moves.filter(({ hold }) => hold === 'paused').length,
    stuck: list.filter(({ state }) => state === 'lost' || state === 'failed').length,
    lost: list.filter(({ state }) => state === 'lost').length,
    done: list.filter(({ state }) => state === 'done').length,
    share: size > 0 ? sent / size : 0,
    left_bytes: size - sent,
    bytes_per_second: speeds.length > 0 ? speeds.reduce((total, speed) => total + speed, 0) : null,
    hold: first && moves.every(({ hold }) => hold !== null) ? first.hold : null,
  };
}

const formatFiles = (count: number) => (count === 1 ? '1 file' : `${count} files`);

const formatWaitingFiles = (count: number) => `${formatFiles(count)} ${count === 1 ? 'waits' : 'wait'}`;

const SUSPENDED_SUMMARIES = {
  paused: (count) => `${formatFiles(count)} paused`,
  offline: (count) => `${formatWaitingFiles(count)} for the connection`,
  unreachable: (count) => `${formatWaitingFiles(count)} for the service`,
  postponed: (count) => `${formatWaitingFiles(count)} to be sent again`,
  signed_out: (count) => `${formatWaitingFiles(count)} for you to sign in`,
} satisfies Record<SuspendReason, (count: number) => string>;

/** One line for all: "Sending 3 files", "2 files uploaded · 1 problem". */
export function uploadSummaryLabel({ moving, stuck, lost, done, hold }: UploadSummary): string {
  const problems = stuck === 0 ? '' : stuck === 1 ? ' · 1 problem' : ` · ${stuck} problems`;
  if (moving > 0) return `${hold ? SUSPENDED_SUMMARIES[hold](moving) : `Sending ${formatFiles(moving)}`}${problems}`;
  if (done > 0) return `${formatFiles(done)} uploaded${problems}`;
  if (lost === stuck)
    return lost === 1 ? '1 file is to be chosen again' : `${formatFiles(lost)} are to be chosen again`;
  return stuck === 1 ? '1 file was not uploaded' : `${formatFiles(stuck)} were not uploaded`;
}
