import { CloudOff, SearchX, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { cx } from '#web/ui/cx.ts';

export interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  className?: string;
}

export function EmptyState({ icon, title, children, actions, className }: EmptyStateProps) {
  return (
    <div className={cx('frame-marks flex flex-col items-center gap-1 px-6 py-12 text-center', className)}>
      {icon ? <div className="mb-3 text-ink-3 [&>svg]:size-6 [&>svg]:stroke-[1.5]">{icon}</div> : null}
      <h2 className="text-md font-semibold">{title}</h2>
      {children ? <div className="max-w-108 text-balance text-ink-2">{children}</div> : null}
      {actions ? <div className="mt-5 flex flex-wrap justify-center gap-2">{actions}</div> : null}
    </div>
  );
}

export interface ErrorStateProps {
  title: string;
  /** What is safe (money, files, inputs) and what to do next. */
  children?: ReactNode;
  actions?: ReactNode;
  requestId?: string;
  /** Says that the network is missing rather than the service failing. */
  offline?: boolean;
  className?: string;
}

export function ErrorState({ title, children, actions, requestId, offline, className }: ErrorStateProps) {
  const Icon = offline ? CloudOff : TriangleAlert;
  return (
    <div role="alert" className={className}>
      <EmptyState
        icon={<Icon aria-hidden="true" className={offline ? undefined : 'text-bad'} />}
        title={title}
        actions={actions}
      >
        {children}
        {requestId ? <p className="mt-2 font-mono text-xs text-ink-3 select-all">{requestId}</p> : null}
      </EmptyState>
    </div>
  );
}

interface NoMatchesProps {
  action?: string;
  onClear: () => void;
  children: ReactNode;
}

export function NoMatches({ action = 'Clear filters', onClear, children }: NoMatchesProps) {
  return (
    <EmptyState
      icon={<SearchX aria-hidden="true" />}
      title="Nothing matches"
      actions={
        <Button variant="primary" onClick={onClear}>
          {action}
        </Button>
      }
    >
      {children}
    </EmptyState>
  );
}
