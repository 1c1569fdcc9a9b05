import type { ReactNode } from 'react';
import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import { cx } from '#web/ui/cx.ts';

export type CalloutTone = 'info' | 'amber' | 'bad' | 'good';

const CALLOUT_STYLES = {
  info: { box: 'border-line-strong bg-surface', icon: <Info aria-hidden="true" className="text-info" /> },
  amber: {
    box: 'border-transparent bg-amber-soft',
    icon: <CircleAlert aria-hidden="true" className="text-amber-text" />,
  },
  bad: { box: 'border-transparent bg-bad-soft', icon: <CircleAlert aria-hidden="true" className="text-bad" /> },
  good: { box: 'border-transparent bg-good-soft', icon: <CircleCheck aria-hidden="true" className="text-good" /> },
} satisfies Record<CalloutTone, { box: string; icon: ReactNode }>;

export function Callout({
  tone = 'info',
  title,
  action,
  children,
}: {
  tone?: CalloutTone;
  title?: string;
  action?: ReactNode;
  children?: ReactNode;
}) {
  const { box, icon } = CALLOUT_STYLES[tone];
  return (
    <div
      role={tone === 'bad' ? 'alert' : undefined}
      className={cx('flex flex-wrap items-start gap-x-2.5 gap-y-2 rounded-md border px-3 py-2.5', box)}
    >
      <div className="flex min-w-0 flex-[1_1_14rem] gap-2.5">
        <span className="flex h-5 items-center [&>svg]:size-4">{icon}</span>
        <div className="min-w-0 flex-1 text-sm">
          {title ? <p className="font-semibold">{title}</p> : null}
          {children ? <div className="wrap-anywhere text-ink-2">{children}</div> : null}
        </div>
      </div>
      {action}
    </div>
  );
}
