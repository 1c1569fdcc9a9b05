import type { ReactNode } from 'react';
import { Logo } from '#web/ui/display/logo.tsx';

/** Centers a small form with the logo. */
export function SignInFrame({ title, intro, children }: { title: string; intro: ReactNode; children: ReactNode }) {
  return (
    <div className="mx-auto flex min-h-[calc(100dvh-9rem)] w-full max-w-104 flex-col justify-center px-4 py-10 md:min-h-dvh">
      <title>{`${title} · Emulsion`}</title>
      <div className="frame-marks p-6 sm:p-8">
        <Logo className="mb-5 size-7" />
        <h1 tabIndex={-1} className="text-xl font-semibold tracking-[-0.015em] wrap-anywhere outline-none">
          {title}
        </h1>
        <div className="mt-1 mb-6 text-ink-2 wrap-anywhere">{intro}</div>
        {children}
      </div>
    </div>
  );
}
