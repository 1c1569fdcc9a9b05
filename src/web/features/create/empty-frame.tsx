import type { CSSProperties, ReactNode } from 'react';
import { cx } from '#web/ui/cx.ts';

/**
 * A frame without a picture yet, in the shape that it will have.
 * @param ratio width ÷ height; null where it is not known
 * @param max_height CSS length
 */
export function EmptyFrame({
  ratio,
  max_height = '62dvh',
  className,
  children,
}: {
  ratio: number | null;
  max_height?: string | undefined;
  className?: string;
  children: ReactNode;
}) {
  const shown = ratio ?? 4 / 3;
  const shape: CSSProperties = { aspectRatio: shown, width: `min(100%, calc(${max_height} * ${shown}))` };
  return (
    <div className="flex items-center justify-center">
      <div
        style={shape}
        className={cx(
          'frame-marks flex min-h-40 min-w-[min(14rem,100%)] flex-col items-center justify-center gap-2.5 px-4 py-6 text-center',
          className,
        )}
      >
        {children}
      </div>
    </div>
  );
}
