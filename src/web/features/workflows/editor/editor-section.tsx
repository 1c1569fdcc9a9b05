import { type ReactNode, useId } from 'react';

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
