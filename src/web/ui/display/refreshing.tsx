import type { ReactNode } from 'react';
import { cx } from '#web/ui/cx.ts';

/** Fades what is shown while newer content replaces it. */
export function Refreshing({ active, children }: { active: boolean; children: ReactNode }) {
  return (
    <div aria-busy={active} className={cx('transition-opacity', active && 'opacity-50')}>
      {children}
    </div>
  );
}
