import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Waveform } from '#contract/resources/media.ts';
import { assetSrc } from '#web/api/reference-info.ts';
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

/** Peaks never change, but their URL expires. */
const waveformQuery = (id: string, url: string) =>
  queryOptions({
    queryKey: ['waveform', id],
    queryFn: async ({ signal }) => {
      const response = await fetch(assetSrc(url), { signal, credentials: 'omit' });
      if (!response.ok) throw new Error(`Waveform not loaded: ${response.status}`);
      return parsePeaks((await response.json()) as Partial<Waveform> | null);
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

function parsePeaks(body: Partial<Waveform> | null): readonly number[] {
  const peaks = body?.peaks;
  if (!Array.isArray(peaks) || !peaks.every((peak) => typeof peak === 'number')) throw new Error('No waveform.');
  return peaks;
}

export function resamplePeaks(peaks: readonly number[], count: number): number[] {
  if (peaks.length === 0) return [];
  return Array.from({ length: count }, (_, at) => {
    const from = Math.floor((at * peaks.length) / count);
    const to = Math.max(from + 1, Math.floor(((at + 1) * peaks.length) / count));
    return Math.min(1, Math.max(0, ...peaks.slice(from, to)));
  });
}

/** SVG path in a box that is `bars.length` wide and 2 high. Silence is a thin line. */
export function barsPath(bars: readonly number[]): string {
  return bars
    .map((bar, at) => {
      const half = Math.max(0.02, bar * 0.94).toFixed(3);
      return `M${at + 0.5} ${(1 - Number(half)).toFixed(3)}v${(Number(half) * 2).toFixed(3)}`;
    })
    .join('');
}
