import { runFfmpeg } from '#server/media/ffmpeg.ts';
import { flags } from '#server/media/flags.ts';
import type { MediaTools } from '#server/media/media-tools.ts';
import { CREATOR_TOOL } from '../write-image.ts';
import type { PixelSize } from '../sizes.ts';
import type { Panel } from './panels.ts';
import type { Sound } from './sounds.ts';

export interface ClipEncoding {
  /** Raw RGBA frames of the painted size. */
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
export function overlayPanels(
  base: string,
  panels: readonly Panel[],
  first_input: number,
  fades: readonly string[],
): string {
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
export function soundGraph(sounds: readonly Sound[], first_input: number, duration_seconds: number): string {
  const parts = sounds.map(({ volume }, index) => `[${first_input + index}:a]volume=${volume}[sound${index}]`);
  const names = sounds.map((_, index) => `[sound${index}]`).join('');
  const mix = sounds.length > 1 ? `amix=inputs=${sounds.length}:duration=longest,` : '';
  return [...parts, `${names}${mix}${LOUDNESS},apad,atrim=duration=${duration_seconds.toFixed(6)}[sound]`].join(';');
}
