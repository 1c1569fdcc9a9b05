import type { ReactNode } from 'react';
import { cx } from '#web/ui/cx.ts';
import { tooltipProps } from '#web/ui/overlays/tooltip-props.ts';

export type Tone = 'neutral' | 'amber' | 'good' | 'info' | 'bad' | 'review';

const TONE_CLASSES = {
  neutral: 'bg-hover text-ink-2',
  amber: 'bg-amber-soft text-amber-text',
  good: 'bg-good-soft text-good',
  info: 'bg-info-soft text-info',
  bad: 'bg-bad-soft text-bad',
  review: 'bg-review-soft text-review',
} satisfies Record<Tone, string>;

export const badgeClass = (tone: Tone): string =>
  cx(
    'inline-flex h-5.5 max-w-full flex-none items-center gap-1 rounded-sm px-1.5 text-xs font-medium whitespace-nowrap [&>svg]:size-3.5 [&>svg]:flex-none',
    TONE_CLASSES[tone],
  );

/** Color alone carries no meaning, so statuses have an icon too. */
export function Badge({
  tone = 'neutral',
  icon,
  hint,
  children,
  className,
}: {
  tone?: Tone;
  icon?: ReactNode;
  hint?: string;
  children: ReactNode;
  className?: string;
}) {
  return (
    <span {...(hint === undefined ? {} : tooltipProps(hint))} className={cx(badgeClass(tone), className)}>
      {icon}
      <span className="truncate">{children}</span>
    </span>
  );
}
