import type { CSSProperties, ReactNode } from 'react';
import { cx } from '#web/ui/cx.ts';

/**
 * A placeholder in the aspect ratio of the expected result.
 * @param ratio width ÷ height; null if unknown; 4:3 is used
 * @param maxHeight CSS length
 */
export function EmptyFrame({
  ratio,
  maxHeight = '62dvh',
  className,
  children,
}: {
  ratio: number | null;
  maxHeight?: string | undefined;
  className?: string;
  children: ReactNode;
}) {
  const aspectRatio = ratio ?? 4 / 3;
  const style: CSSProperties = { aspectRatio, width: `min(100%, calc(${maxHeight} * ${aspectRatio}))` };
  return (
    <div className="flex items-center justify-center">
      <div
        style={style}
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
