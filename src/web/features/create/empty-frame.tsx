import type { CSSProperties, ReactNode } from 'react';
import { cx } from '#web/ui/cx.ts';

/** A frame without a picture yet, in the shape that it will have. `ratio`: width ÷ height, null where that is open. */
export function EmptyFrame({
  ratio,
  className,
  children,
}: {
  ratio: number | null;
  className?: string;
  children: ReactNode;
}) {
  const shown = ratio ?? 4 / 3;
  const shape: CSSProperties = { aspectRatio: shown, maxWidth: `min(100%, calc(58dvh * ${shown}))` };
  return (
    <div className="flex min-h-64 items-center justify-center">
      <div
        style={shape}
        className={cx(
          'frame-marks flex max-h-full min-h-48 w-full min-w-56 flex-col items-center justify-center gap-2.5 px-4 py-6 text-center',
          className,
        )}
      >
        {children}
      </div>
    </div>
  );
}
