import type { ReactNode } from 'react';
import { cx } from './cx.ts';

export interface PageProps {
  title: string;
  /** Name of the open view, shown before the page's name in the browser tab. */
  view?: string;
  above?: ReactNode;
  /** Replaces the heading of level 1. */
  heading?: ReactNode;
  intro?: ReactNode;
  actions?: ReactNode;
  /** "reading" for forms and text, "wide" for tables, "full" for workspaces. */
  width?: 'reading' | 'wide' | 'full';
  children: ReactNode;
}

const widths = { reading: 'max-w-3xl', wide: 'max-w-6xl', full: 'max-w-none' };

export function Page({ title, view, above, heading, intro, actions, width = 'wide', children }: PageProps) {
  return (
    <div className={cx('w-full px-4 pt-5 pb-12 md:px-8 md:pt-8', widths[width])}>
      <title>{[view, title, 'Emulsion'].filter(Boolean).join(' · ')}</title>
      {above}
      <header className="mb-6 flex flex-wrap items-center gap-x-6 gap-y-3">
        <div className="min-w-0 flex-[1_1_16rem]">
          {heading ?? (
            <h1 tabIndex={-1} className="text-xl font-semibold tracking-[-0.015em] outline-none">
              {title}
            </h1>
          )}
          {intro ? <p className="mt-0.5 text-ink-2">{intro}</p> : null}
        </div>
        {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
      </header>
      {children}
    </div>
  );
}
