import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { EngineJob, EngineJobOf, EngineResult, ResolvedReference } from '../../engine.ts';
import { readPrompt } from '../brief/brief.ts';
import { withPicturePalette } from '../color/picture-palette.ts';
import { hangBoxes } from '../draw/prints.ts';
import { jobSeed } from '../random.ts';
import { decodeFrame, decodePrints, listReferences } from '../decode-references.ts';
import { type PreviewContext, PREVIEW_NOTE } from '../preview-context.ts';
import type { ClipRequest } from '../render/protocol.ts';
import { videoSize, type PixelSize } from '../sizes.ts';
import { encodeClip } from '../video/encode-clip.ts';
import { preparePanels } from '../video/panels.ts';
import { createSoundBed, extractSounds } from '../video/sounds.ts';

const FPS = 24;
/** Larger frames are enlarged by ffmpeg: 4K at the memory and time of 1080p. */
const PAINTED_SHORTER_PX = 1080;

interface ClipReferences {
  first: ResolvedReference | undefined;
  last: ResolvedReference | undefined;
  images: ResolvedReference[];
  videos: ResolvedReference[];
  audio: ResolvedReference[];
}

const collectReferences = (job: EngineJob): ClipReferences => ({
  first: listReferences(job, 'first_frame')[0],
  last: listReferences(job, 'last_frame')[0],
  images: listReferences(job, 'reference_images'),
  videos: [...listReferences(job, 'reference_video'), ...listReferences(job, 'reference_videos')],
  audio: listReferences(job, 'reference_audio'),
});

const paintedSize = ({ width_px, height_px }: PixelSize): PixelSize => {
  const shrink = Math.min(1, PAINTED_SHORTER_PX / Math.min(width_px, height_px));
  const even = (side_px: number): number => Math.round((side_px * shrink) / 2) * 2;
  return { width_px: even(width_px), height_px: even(height_px) };
};

export async function createVideo(
  job: EngineJobOf<'video.create'>,
  { tools, renderer }: PreviewContext,
): Promise<EngineResult> {
  const { input, signal } = job;
  const given = collectReferences(job);
  const guide = given.first ?? [...given.images, ...given.videos][0] ?? given.last;
  const size = videoSize(input, guide?.media ?? null);
  const painted = paintedSize(size);
  const { duration_seconds } = input;
  const seed = jobSeed(job.generation_id, input.seed);
  // Models without this option always create audio.
  const sound = input.generate_audio ?? true;
  const read = readPrompt(input.prompt, job.model ?? '', seed);
  const [prints, frames] = await Promise.all([
    decodePrints(tools, job, given.images),
    Promise.all([given.first, given.last].map((frame) => (frame ? decodeFrame(tools, job, frame, painted) : null))),
  ]);
  const [first = null, last = null] = frames;
  const brief = withPicturePalette(read, [...prints, ...frames.filter((frame) => frame !== null)]);
  const unit = Math.sqrt((size.width_px * size.height_px) / 1e6);
  const boxes = hangBoxes([...given.images, ...given.videos], size, 'in the middle');
  const clip: ClipRequest = {
    kind: 'clip',
    veil: false,
    brief,
    ...painted,
    detail: 0.9,
    frames: duration_seconds * FPS,
    fps: FPS,
    first,
    last,
    prints,
    boxes,
  };
  const scratch = path.join(job.work_dir, 'scratch');
  try {
    const panels = await preparePanels(tools, {
      videos: given.videos,
      boxes: boxes.slice(prints.length),
      unit_px: unit,
      fps: String(FPS),
      duration_seconds,
      scratch,
      signal,
    });
    const options = { duration_seconds, scratch, signal };
    const heard = sound ? await extractSounds(tools, [...given.audio, ...given.videos], options) : [];
    const sounds = sound
      ? [await createSoundBed({ renderer }, brief, { ...options, under_others: heard.length > 0 }), ...heard]
      : [];
    job.onProgress(0.05);
    const file = path.join(job.work_dir, 'video.mp4');
    await encodeClip(tools, {
      frames: renderer.clip(clip, signal),
      painted,
      size,
      fps: FPS,
      duration_seconds,
      panels,
      fade_panels: { in: first !== null, out: last !== null },
      sounds,
      file,
      signal,
      onProgress: (fraction) => job.onProgress(0.05 + 0.95 * fraction),
    });
    return { files: [file], data: describeClip(job, { size, seed, sound, given, composition: brief.family }) };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function describeClip(
  { input }: EngineJobOf<'video.create'>,
  made: { size: PixelSize; seed: number; sound: boolean; given: ClipReferences; composition: string },
): Record<string, unknown> {
  const { size, seed, sound, given } = made;
  const shown = given.images.length + given.videos.length;
  return {
    ...PREVIEW_NOTE,
    width: size.width_px,
    height: size.height_px,
    duration_seconds: input.duration_seconds,
    fps: FPS,
    has_audio: sound,
    composition: made.composition,
    ...(input.seed !== undefined ? { seed } : {}),
    ...(shown === 0 ? {} : { references_shown: shown }),
    ...(sound || given.audio.length === 0 ? {} : { reference_audio: 'Not used: generate_audio is off.' }),
  };
}
