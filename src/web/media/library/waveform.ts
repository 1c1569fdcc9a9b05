import { queryOptions } from '@tanstack/react-query';
import type { Waveform } from '#contract/resources/media-derivatives.ts';
import { assetSrc } from '#web/api/reference-info.ts';
import { queryKeys } from '#web/api/queries/query-keys.ts';

/** Peaks never change, but their URL expires. */
export const waveformQuery = (id: string, url: string) =>
  queryOptions({
    queryKey: queryKeys.media.waveform(id),
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
