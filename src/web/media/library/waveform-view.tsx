import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { resamplePeaks, barsPath, waveformQuery } from './waveform.ts';
import { cx } from '#web/ui/cx.ts';

export interface WaveformViewProps {
  id: string;
  url: string;
  bars: number;
  played?: number;
  className?: string;
}

export function WaveformView({ id, url, bars, played = 0, className }: WaveformViewProps) {
  const { data } = useQuery(waveformQuery(id, url));
  const path = useMemo(() => data && barsPath(resamplePeaks(data, bars)), [data, bars]);
  if (!path) return null;
  const line = { d: path, fill: 'none', strokeWidth: 0.55, stroke: 'currentColor' } as const;
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${bars} 2`} preserveAspectRatio="none" className={cx('block', className)}>
      <path {...line} />
      {played > 0 ? (
        <path {...line} className="text-amber-text" style={{ clipPath: `inset(0 ${100 - played * 100}% 0 0)` }} />
      ) : null}
    </svg>
  );
}
