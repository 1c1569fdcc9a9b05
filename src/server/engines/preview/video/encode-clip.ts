import { runFfmpeg } from '#server/media/ffmpeg.ts';
import { flags } from '#server/media/flags.ts';
import type { MediaTools } from '#server/media/media-tools.ts';
import type { PixelSize } from '../sizes.ts';
import { CREATOR_TOOL } from '../write-image.ts';
import type { Panel } from './panels.ts';
import type { Sound } from './sounds.ts';

export interface ClipEncoding {
  frames: AsyncIterable<Uint8Array>;
  painted: PixelSize;
  size: PixelSize;
  fps: number;
  duration_seconds: number;
  panels: readonly Panel[];
  /** Fades panels in after a given first frame and out before a given last frame. */
  fade_panels: { in: boolean; out: boolean };
  sounds: readonly Sound[];
  file: string;
  signal: AbortSignal;
  onProgress(fraction: number): void;
}

/** Common to all clips of this engine: H.264 in 8-bit BT.709, streamable, marked in its comment. */
export function videoFlags(size: PixelSize): string[] {
  const preset = Math.min(size.width_px, size.height_px) > 1080 ? 'ultrafast' : 'veryfast';
  return flags`-c:v libx264 -preset ${preset} -crf 20 -pix_fmt yuv420p
    -colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv
    -map_metadata -1 -map_chapters -1 -movflags +faststart -metadata ${`comment=${CREATOR_TOOL}`}`;
}

export const AUDIO_FLAGS: readonly string[] = flags('-c:a aac -b:a 160k -ar 48000 -ac 2');

/** Normalizes to the loudness of common platforms. */
const LOUDNESS = 'loudnorm=I=-16:TP=-1.5:LRA=11,aresample=48000';

/** Encodes painted frames with overlaid clips and mixed audio. All input files are our own. */
export async function encodeClip(tools: MediaTools, clip: ClipEncoding): Promise<void> {
  const { painted, size, fps, panels, sounds, duration_seconds, fade_panels } = clip;
  const fades = [
    ...(fade_panels.in ? ['fade=t=in:st=0.1:d=0.7:alpha=1'] : []),
    ...(fade_panels.out ? [`fade=t=out:st=${(duration_seconds - 0.9).toFixed(2)}:d=0.7:alpha=1`] : []),
  ];
  const scaled = `scale=${size.width_px}:${size.height_px}:flags=bicubic:out_color_matrix=bt709:out_range=tv`;
  const graph = [
    `[0:v]${scaled},format=yuv420p[base]`,
    overlayPanels('[base]', panels, 1, fades),
    ...(sounds.length > 0 ? [soundGraph(sounds, 1 + panels.length, duration_seconds)] : []),
  ].join(';');
  const sound = sounds.length > 0 ? flags`-map [sound] ${AUDIO_FLAGS}` : [];
  await runFfmpeg(tools, {
    trusted: true,
    input: clip.frames,
    signal: clip.signal,
    total_seconds: duration_seconds,
    onProgress: clip.onProgress,
    args: flags`-f rawvideo -pix_fmt rgba -s ${painted.width_px}x${painted.height_px} -framerate ${fps} -i pipe:0
      ${[...panels, ...sounds].flatMap(({ file }) => flags`-i file:${file}`)}
      -filter_complex ${graph} -map [picture] ${sound} ${videoFlags(size)} -t ${duration_seconds} file:${clip.file}`,
  });
}

/** Overlays panels on `base`, starting at input `first_input`; the graph ends in `[picture]`. */
function overlayPanels(base: string, panels: readonly Panel[], first_input: number, fades: readonly string[]): string {
  if (panels.length === 0) return `${base}null[picture]`;
  return panels
    .flatMap((panel, index) => {
      const under = index === 0 ? base : `[laid${index - 1}]`;
      const over = index === panels.length - 1 ? '[picture]' : `[laid${index}]`;
      return [
        `[${first_input + index}:v]${['format=yuva420p', ...fades].join(',')}[panel${index}]`,
        `${under}[panel${index}]overlay=${panel.x_px}:${panel.y_px}:eof_action=repeat${over}`,
      ];
    })
    .join(';');
}

/** Mixes audio inputs from `first_input` on to the common loudness; the graph ends in `[sound]`. */
function soundGraph(sounds: readonly Sound[], first_input: number, duration_seconds: number): string {
  const parts = sounds.map(({ volume }, index) => `[${first_input + index}:a]volume=${volume}[sound${index}]`);
  const names = sounds.map((_, index) => `[sound${index}]`).join('');
  const mix = sounds.length > 1 ? `amix=inputs=${sounds.length}:duration=longest,` : '';
  return [...parts, `${names}${mix}${LOUDNESS},apad,atrim=duration=${duration_seconds.toFixed(6)}[sound]`].join(';');
}

interface FinalClip {
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
