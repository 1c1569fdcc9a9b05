import path from 'node:path';
import { runFfmpeg } from '#server/platform/media/ffmpeg.ts';
import { flags } from '#server/platform/media/flags.ts';
import { savePixels } from '#server/platform/media/picture-jobs.ts';
import type { EngineJobOf, EngineResult, ResolvedReference } from '#server/models/engine/engine.ts';
import {
  AUDIO_FLAGS,
  extractPosters,
  extractSounds,
  soundBed,
  soundGraph,
  videoFlags,
} from '#server/models/preview/clip.ts';
import { type PreviewContext, PREVIEW_NOTE } from '#server/models/preview/preview-context.ts';
import { jobSeed } from '#server/models/preview/random.ts';
import { decodeStrip, listReferences } from '#server/models/preview/references.ts';
import { type PixelSize, videoSize } from '#server/models/preview/sizes.ts';
import { withTempDirectory } from '#server/models/preview/temp-directory.ts';
import { readTheme } from '#server/models/preview/theme.ts';

const FPS = 24;
/** Larger clips are painted at this size and enlarged by ffmpeg. */
const PAINTED_SHORTER_PX = 1080;
/** Volume of the sound bed below sounds of the input. */
const BED_VOLUME = 0.3;

function paintedSize({ width, height }: PixelSize): PixelSize {
  const shrink = Math.min(1, PAINTED_SHORTER_PX / Math.min(width, height));
  const even = (side: number): number => Math.round((side * shrink) / 2) * 2;
  return { width: even(width), height: even(height) };
}

export async function createVideo(
  job: EngineJobOf<'video.create'>,
  { tools, painting }: PreviewContext,
): Promise<EngineResult> {
  const { input, signal } = job;
  const { duration_seconds } = input;
  const [first] = listReferences(job, 'first_frame');
  const [last] = listReferences(job, 'last_frame');
  const images = listReferences(job, 'reference_images');
  const videos = [...listReferences(job, 'reference_video'), ...listReferences(job, 'reference_videos')];
  const audio = listReferences(job, 'reference_audio');
  const guide = first ?? [...images, ...videos][0] ?? last;
  const size = videoSize(input, guide?.media ?? null);
  const painted = paintedSize(size);
  const seed = jobSeed(job.generation_id, input.seed);
  const theme = readTheme(input.prompt, job.model ?? '', seed);
  // Models without this option always create audio.
  const hasAudio = input.generate_audio ?? true;
  return withTempDirectory(job, async (scratch) => {
    const work = { scratch, duration_seconds, signal };
    const saveFrame = async (name: string, { file }: ResolvedReference): Promise<string> => {
      const output = path.join(scratch, name);
      const options = { owner: job.generation_id, signal };
      await savePixels(tools, file, { file: output, encoding: 'png', shape: { ...painted, fit: 'cover' } }, options);
      return output;
    };
    const [firstFrame, lastFrame, references] = await Promise.all([
      first && saveFrame('first.png', first),
      last && saveFrame('last.png', last),
      decodeStrip(tools, job, [...images, ...(await extractPosters(tools, videos, work))], scratch),
    ]);
    const request = { ...painted, theme, references };
    const layers = await painting.paintLayers(
      firstFrame === undefined ? { kind: 'layers', ...request } : { kind: 'overlay', isToned: false, ...request },
      scratch,
      signal,
    );
    const overlay = layers.slice(-1);
    const given = hasAudio ? await extractSounds(tools, [...audio, ...videos], work) : [];
    const sounds = hasAudio ? [soundBed(theme.seed, given.length > 0 ? BED_VOLUME : 1), ...given] : [];
    job.onProgress(0.15);
    const file = path.join(job.workDir, 'video.mp4');
    const moving = firstFrame === undefined ? layers.slice(0, -1) : [firstFrame];
    const files = [...moving, ...(lastFrame === undefined ? [] : [lastFrame]), ...overlay];
    const graph = [
      pictureGraph({ size, painted, moving: moving.length, duration_seconds, hasFirst: !!first, hasLast: !!last }),
      ...(sounds.length > 0 ? [soundGraph(sounds, files.length, duration_seconds)] : []),
    ].join(';');
    await runFfmpeg(tools, {
      trusted: true,
      signal,
      total_seconds: duration_seconds,
      onProgress: (fraction) => job.onProgress(0.15 + 0.85 * fraction),
      args: flags`${files.flatMap((picture) => flags`-framerate ${FPS} -i file:${picture}`)} ${sounds.flatMap(({ input: sound }) => sound)}
        -filter_complex ${graph} -map [picture] ${sounds.length > 0 ? flags`-map [sound] ${AUDIO_FLAGS}` : []}
        ${videoFlags(size)} -t ${duration_seconds} file:${file}`,
    });
    return {
      files: [file],
      data: {
        ...PREVIEW_NOTE,
        ...size,
        duration_seconds,
        fps: FPS,
        has_audio: hasAudio,
        composition: theme.composition,
        ...(input.seed === undefined ? {} : { seed }),
        ...(references.length === 0 ? {} : { references_shown: references.length }),
        ...(hasAudio || audio.length === 0 ? {} : { reference_audio: 'Not used: generate_audio is off.' }),
      },
    };
  });
}

/** The camera moves slowly towards the picture, near layers more than far ones; then come last frame and notes. */
function pictureGraph(clip: {
  size: PixelSize;
  painted: PixelSize;
  moving: number;
  duration_seconds: number;
  hasFirst: boolean;
  hasLast: boolean;
}): string {
  const { size, painted, moving, duration_seconds, hasFirst, hasLast } = clip;
  const frames = duration_seconds * FPS;
  const hold = 'loop=loop=-1:size=1,setpts=N/(' + FPS + '*TB)';
  const part = (share: number): string => (share * duration_seconds).toFixed(3);
  const parts: string[] = [];
  let under = '';
  const lay = (index: number, filters: string): void => {
    parts.push(`[${index}:v]format=gbrap,${hold}${filters}[layer${index}]`);
    if (index > 0) parts.push(`${under}[layer${index}]overlay=format=gbrp:shortest=1[laid${index}]`);
    under = index === 0 ? '[layer0]' : `[laid${index}]`;
  };
  for (let index = 0; index < moving; index++) lay(index, `,${zoom(0.02 + 0.028 * index, frames)}`);
  if (hasLast) lay(moving, `,fade=t=in:st=${part(0.25)}:d=${part(0.5)}:alpha=1`);
  const fades = [
    ...(hasFirst ? [`,fade=t=in:st=${part(0.04)}:d=${part(0.15)}:alpha=1`] : []),
    ...(hasLast ? [`,fade=t=out:st=${part(0.8)}:d=${part(0.15)}:alpha=1`] : []),
  ];
  lay(moving + (hasLast ? 1 : 0), fades.join(''));
  const isPainted = painted.width === size.width && painted.height === size.height;
  const enlarge = isPainted ? '' : `scale=${size.width}:${size.height}:flags=bicubic,`;
  parts.push(`${under}${enlarge}scale=out_color_matrix=bt709:out_range=tv,format=yuv420p[picture]`);
  return parts.join(';');
}

/** @param share of each side that has left the picture at the end */
function zoom(share: number, frames: number): string {
  const moved = `${share}*on/${frames}`;
  const corners = ['0', '1'].flatMap((y) => ['0', '1'].map((x) => ({ x, y })));
  const points = corners.map(
    ({ x, y }, index) => `x${index}='W*(${x}+(1-2*${x})*${moved})':y${index}='H*(${y}+(1-2*${y})*${moved})'`,
  );
  return `perspective=${points.join(':')}:sense=source:eval=frame:interpolation=linear`;
}
