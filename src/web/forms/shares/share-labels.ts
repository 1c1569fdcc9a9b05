import type { Share, ShareRequest } from '#contract/resources/share.ts';
import type { Tone } from '#web/ui/display/badge.tsx';
import { formatNumber, lazily } from '#web/ui/formats.ts';

export const STATUS_LABELS = {
  active: { label: 'Active', tone: 'good' },
  expired: { label: 'Expired', tone: 'neutral' },
  revoked: { label: 'Ended', tone: 'neutral' },
  gone: { label: 'File deleted', tone: 'amber' },
  off: { label: 'Sharing is off', tone: 'amber' },
} as const satisfies Record<Share['status'], { label: string; tone: Tone }>;

export const formatViews = (count: number): string =>
  count === 0 ? 'No views yet' : count === 1 ? '1 view' : `${formatNumber(count)} views`;

const dateFormat = lazily(() => new Intl.DateTimeFormat('en', { dateStyle: 'long' }));

/** How long a link works: “It works until December 29, 2026.” */
export const describeLifetime = (expiresAt: string | null): string =>
  expiresAt === null ? 'It works until you end it.' : `It works until ${dateFormat().format(new Date(expiresAt))}.`;

const DAY_MS = 86_400_000;

/** Whether a page shows one file in full and asks for nothing, for a day at least. */
export const isPlainLink = (share: Share, mediaId: string, nowMs: number): boolean =>
  share.status === 'active' &&
  share.url !== null &&
  share.media_id === mediaId &&
  share.allow_downloads &&
  share.asks_for === null &&
  (share.expires_at === null || Date.parse(share.expires_at) > nowMs + DAY_MS);

/** Choices of the dialog: days, or `never`. */
export const EXPIRY_OPTIONS = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'never', label: 'No end' },
] as const;
export type ExpiryChoice = (typeof EXPIRY_OPTIONS)[number]['value'] | 'unchanged';

export function expiryDays(choice: ExpiryChoice): number | null | undefined {
  if (choice === 'unchanged') return undefined;
  return choice === 'never' ? null : Number(choice);
}

const REQUEST_LABELS = {
  picks: 'Picks',
  approval: 'Approval',
  comments: 'Comments',
} as const satisfies Record<ShareRequest, string>;

export const REQUEST_OPTIONS = [
  { value: 'nothing', label: 'Nothing' },
  ...Object.entries(REQUEST_LABELS).map(([value, label]) => ({ value: value as ShareRequest, label })),
] as const satisfies readonly { value: ShareRequest | 'nothing'; label: string }[];

/** “3 of 4 answered” */
export const formatAnswers = ({ answered_count, file_count }: Pick<Share, 'answered_count' | 'file_count'>): string =>
  `${formatNumber(answered_count)} of ${formatNumber(Math.max(answered_count, file_count))} answered`;

type DescribedShare = Pick<Share, 'allow_downloads' | 'show_prompts' | 'show_organization' | 'asks_for' | 'has_code'>;

/** What visitors find on the page, beside the files. */
export function describeShare(share: DescribedShare): string {
  const { asks_for, has_code } = share;
  const parts = [
    asks_for ? `asks for ${asks_for}${has_code ? ' with a code' : ''}` : '',
    share.allow_downloads ? 'full quality and downloads' : 'previews only',
    share.show_prompts ? 'prompts' : '',
    share.show_organization ? 'name and logo of the organization' : '',
  ].filter(Boolean);
  const text = parts.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
