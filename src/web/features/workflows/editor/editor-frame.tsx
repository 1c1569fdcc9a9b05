import { type ReactNode, useId } from 'react';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { BackToWorkflowsLink } from '../back-to-workflows-link.tsx';

export function EditorFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="w-full max-w-7xl px-4 pt-5 pb-12 md:px-8 md:pt-8">
      <title>{`${title} · Workflows · Emulsion`}</title>
      <BackToWorkflowsLink to="starters" />
      <h1 tabIndex={-1} className="mb-6 text-xl font-semibold tracking-[-0.015em] outline-none">
        {title}
      </h1>
      {children}
    </div>
  );
}

export function EditorSkeleton() {
  return (
    <Loading label="Loading workflow" className="flex max-w-3xl flex-col gap-6">
      <Skeleton className="h-36 w-full rounded-md" />
      <Skeleton className="h-48 w-full rounded-md" />
      <Skeleton className="h-72 w-full rounded-md" />
    </Loading>
  );
}

interface EditorSectionProps {
  title: string;
  intro?: string;
  path: string;
  actions?: ReactNode;
  children: ReactNode;
}

export function EditorSection({ title, intro, path, actions, children }: EditorSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} data-path={path} className="min-w-0 border-t border-line pt-5">
      <header className="mb-4 flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-[1_1_16rem]">
          <h2 id={id} tabIndex={-1} className="text-md font-semibold outline-none">
            {title}
          </h2>
          {intro ? <p className="text-sm text-ink-3">{intro}</p> : null}
        </div>
        {actions}
      </header>
      <div className="flex flex-col gap-4">{children}</div>
    </section>
  );
}
