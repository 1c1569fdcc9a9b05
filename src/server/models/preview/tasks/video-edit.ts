import path from 'node:path';
import { EDIT_REFERENCE_SECONDS, EDIT_SOURCE_SECONDS } from '#contract/tasks/video-edit.ts';
import { runFfmpeg } from '#server/platform/media/ffmpeg.ts';
import { flags } from '#server/platform/media/flags.ts';
import {
  EngineError,
  type EngineJobOf,
  type EngineResult,
  type ResolvedReference,
} from '#server/models/engine/engine.ts';
import { readVideo, videoAt } from '#server/models/tools/video-source.ts';
import {
  AUDIO_FLAGS,
  extractPosters,
  extractSounds,
  hasSound,
  normalizeClip,
  soundBed,
  soundGraph,
  videoFlags,
} from '#server/models/preview/clip.ts';
import { type PreviewContext, PREVIEW_NOTE } from '#server/models/preview/preview-context.ts';
import { jobSeed } from '#server/models/preview/random.ts';
import { decodeStrip, listReferences } from '#server/models/preview/references.ts';
import { sourceSize } from '#server/models/preview/sizes.ts';
import { withTempDirectory } from '#server/models/preview/temp-directory.ts';
import { readTheme } from '#server/models/preview/theme.ts';

/** Lengths are rounded to frames; this much over a limit is still accepted. */
const TOLERANCE_SECONDS = 0.1;

/** The clip stays recognizable under the color of the prompt; references are shown in it. */
export async function editVideo(
  job: EngineJobOf<'video.edit'>,
  { tools, painting }: PreviewContext,
): Promise<EngineResult> {
  const { input, signal } = job;
  const reference = videoAt(job, 'video');
  const videos = listReferences(job, 'reference_videos');
  checkLengths(reference, videos);
  const images = listReferences(job, 'reference_images');
  const audio = listReferences(job, 'reference_audio');
  const source = await readVideo(tools, job, 'video');
  const size = sourceSize(input.resolution, reference.media);
  const theme = readTheme(input.prompt, job.model ?? '', jobSeed(job.generation_id));
  const { duration_seconds, frame_count } = source;
  return withTempDirectory(job, async (scratch) => {
    const work = { scratch, duration_seconds, signal };
    const base = path.join(scratch, 'base.mp4');
    await normalizeClip(tools, source, {
      media: reference.media,
      size,
      file: base,
      signal,
      onProgress: (fraction) => job.onProgress(0.5 * fraction),
    });
    const references = await decodeStrip(
      tools,
      job,
      [...images, ...(await extractPosters(tools, videos, work))],
      scratch,
    );
    const [overlay = ''] = await painting.paintLayers(
      { kind: 'overlay', isToned: true, ...size, theme, references },
      scratch,
      signal,
    );
    const given = input.generate_audio ? await extractSounds(tools, [reference, ...audio, ...videos], work) : [];
    const sounds = input.generate_audio && given.length === 0 ? [soundBed(theme.seed, 1)] : given;
    const graph = [
      '[0:v][1:v]overlay,format=yuv420p[picture]',
      ...(sounds.length > 0 ? [soundGraph(sounds, 2, duration_seconds)] : []),
    ].join(';');
    const file = path.join(job.workDir, 'video.mp4');
    await runFfmpeg(tools, {
      trusted: true,
      signal,
      total_seconds: duration_seconds,
      onProgress: (fraction) => job.onProgress(0.5 + 0.5 * fraction),
      args: flags`-i file:${base} -i file:${overlay} ${sounds.flatMap(({ input: sound }) => sound)}
        -filter_complex ${graph} -map [picture] ${sounds.length > 0 ? flags`-map [sound] ${AUDIO_FLAGS}` : []}
        ${videoFlags(size)} -frames:v ${frame_count} -t ${duration_seconds.toFixed(6)} file:${file}`,
    });
    return {
      files: [file],
      data: {
        ...PREVIEW_NOTE,
        ...size,
        duration_seconds: Math.round(duration_seconds * 1e6) / 1e6,
        sound: sounds.length === 0 ? 'none' : hasSound(reference) ? 'kept' : 'made',
        ...(references.length === 0 ? {} : { references_shown: references.length }),
      },
    };
  });
}
/** Spec: Task contracts: video.edit @throws {EngineError} when a clip is too short or too long */
function checkLengths(source: ResolvedReference, others: readonly ResolvedReference[]): void {
  const length = ({ media }: ResolvedReference): number => media.duration_seconds ?? 0;
  const outside = (value: number, { min, max }: { min: number; max: number }): boolean =>
    value < min - TOLERANCE_SECONDS || value > max + TOLERANCE_SECONDS;
  const { min, max } = EDIT_SOURCE_SECONDS;
  if (outside(length(source), EDIT_SOURCE_SECONDS)) {
    throw new EngineError('invalid_media', `The video to edit must be ${min} to ${max} seconds long.`);
  }
  if (others.some((other) => outside(length(other), EDIT_REFERENCE_SECONDS))) {
    const range = `${EDIT_REFERENCE_SECONDS.min} to ${EDIT_REFERENCE_SECONDS.max}`;
    throw new EngineError('invalid_media', `Each reference video must be ${range} seconds long.`);
  }
  const total = [source, ...others].reduce((sum, one) => sum + length(one), 0);
  if (total > max + TOLERANCE_SECONDS) {
    throw new EngineError('invalid_media', `The video and its reference videos may be ${max} seconds long together.`);
  }
}
