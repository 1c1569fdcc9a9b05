import { useMemo } from 'react';
import { justifiedRows } from './justified-rows.ts';
import { GRID_GAP_PX, targetRowHeightPx } from './use-justified-rows.ts';
import { cx } from '#web/ui/cx.ts';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { useElementSize, useRootFontSize } from '#web/ui/hooks/use-element-size.ts';

const RATIOS = [1.5, 1, 1.78, 0.75, 1, 1.33, 1.78, 1.5, 0.8, 1.6, 1.25];
const SAMPLE_RATIOS = Array.from({ length: 120 }, (_, at) => RATIOS[at % RATIOS.length] ?? 1);

export function GridSkeleton({ rows, className }: { rows: number; className?: string }) {
  const { ref, widthPx } = useElementSize();
  const targetPx = targetRowHeightPx(widthPx, useRootFontSize());
  const shape = useMemo(
    () => justifiedRows(SAMPLE_RATIOS, { widthPx, targetPx, gapPx: GRID_GAP_PX, more: true }).slice(0, rows),
    [widthPx, targetPx, rows],
  );
  return (
    <div ref={ref} aria-hidden="true" className={cx('flex flex-col gap-1.5', className)}>
      {shape.map(({ first, heightPx, widthsPx }) => (
        <span key={first} className="flex gap-1.5" style={{ height: heightPx }}>
          {widthsPx.map((tilePx, at) => (
            <span key={at} className="block h-full" style={{ width: tilePx }}>
              <Skeleton className="size-full rounded-sm" />
            </span>
          ))}
        </span>
      ))}
    </div>
  );
}
