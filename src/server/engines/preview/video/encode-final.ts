import { runFfmpeg } from '#server/media/ffmpeg.ts';
import { flags } from '#server/media/flags.ts';
import type { MediaTools } from '#server/media/media-tools.ts';
import type { PixelSize } from '../sizes.ts';
import { AUDIO_FLAGS, overlayPanels, soundGraph, videoFlags } from './encode-clip.ts';
import type { Panel } from './panels.ts';
import type { Sound } from './sounds.ts';

export interface FinalClip {
  base: string;
  /** Raw RGBA frames of an overlay, or null. */
  veil: AsyncIterable<Uint8Array> | null;
  rate: string;
  size: PixelSize;
  panels: readonly Panel[];
  sounds: readonly Sound[];
  frame_count: number;
  duration_seconds: number;
  file: string;
  signal: AbortSignal;
  onProgress(fraction: number): void;
}

/** Overlays frames and clips on a clip and adds audio. All input files are our own. */
export async function encodeFinal(tools: MediaTools, clip: FinalClip): Promise<void> {
  const { veil, size, panels, sounds } = clip;
  const veil_input = flags`-f rawvideo -pix_fmt rgba -s ${size.width_px}x${size.height_px} -framerate ${clip.rate} -i pipe:0`;
  const veiled = veil
    ? '[0:v][1:v]overlay=format=auto:eof_action=repeat,format=yuv420p[base]'
    : '[0:v]format=yuv420p[base]';
  const first_panel = veil ? 2 : 1;
  const graph = [
    veiled,
    overlayPanels('[base]', panels, first_panel, []),
    ...(sounds.length > 0 ? [soundGraph(sounds, first_panel + panels.length, clip.duration_seconds)] : []),
  ].join(';');
  const sound = sounds.length > 0 ? flags`-map [sound] ${AUDIO_FLAGS}` : [];
  await runFfmpeg(tools, {
    trusted: true,
    ...(veil ? { input: veil } : {}),
    args: flags`-i file:${clip.base} ${veil ? veil_input : []}
      ${[...panels, ...sounds].flatMap(({ file }) => flags`-i file:${file}`)}
      -filter_complex ${graph} -map [picture] ${sound} ${videoFlags(size)} -frames:v ${clip.frame_count}
      -t ${clip.duration_seconds.toFixed(6)} file:${clip.file}`,
    total_seconds: clip.duration_seconds,
    signal: clip.signal,
    onProgress: clip.onProgress,
  });
}
