import { Check, Heart, type LucideIcon, MessageSquare, PenLine } from 'lucide-react';
import type { ClientAnswer } from '#contract/resources/media.ts';
import type { ClientVerdict } from '#contract/statuses.ts';
import type { Tone } from '#web/ui/display/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { CLIENT_VERDICT_LABELS, mainVerdict } from '#web/api/client-answer-labels.ts';

export const VERDICT_STYLES = {
  changes_requested: { icon: PenLine, tone: 'amber' },
  approved: { icon: Check, tone: 'good' },
  picked: { icon: Heart, tone: 'good' },
  commented: { icon: MessageSquare, tone: 'neutral' },
} as const satisfies Record<ClientVerdict, { icon: LucideIcon; tone: Tone }>;

/** Narrower tiles have no room for a word. */
const MIN_TEXT_PX = 96;

interface AnswerBadgeProps {
  answers: readonly ClientAnswer[] | undefined;
  /** Lines that it is raised by. */
  level: number;
  widthPx: number;
}

/** What clients answered about a tile: the answer that needs most attention. */
export function AnswerBadge({ answers = [], level, widthPx }: AnswerBadgeProps) {
  const verdict = mainVerdict(answers);
  if (verdict === null) return null;
  const Icon = VERDICT_STYLES[verdict].icon;
  const note = answers.find((answer) => answer.verdict === verdict && answer.comment !== null)?.comment;
  return (
    <span
      className={cx(
        'pointer-events-none absolute left-1.5 inline-flex max-w-[calc(100%-0.75rem)] items-start gap-1 rounded-xs bg-black/65 px-1 text-2xs font-medium text-white',
        ['bottom-1.5', 'bottom-7', 'bottom-12'][level],
      )}
    >
      <Icon aria-hidden="true" className="my-0.5 size-3 flex-none" />
      {widthPx < MIN_TEXT_PX ? null : (
        <span dir="auto" className={cx('min-w-0 wrap-anywhere', note ? 'line-clamp-3' : 'truncate')}>
          {verdict === 'changes_requested' ? 'Changes' : CLIENT_VERDICT_LABELS[verdict]}
          {answers.length > 1 ? ` · ${answers.length}` : ''}
          {note ? `: ${note}` : ''}
        </span>
      )}
    </span>
  );
}
