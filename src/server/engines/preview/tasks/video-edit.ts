import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { EDIT_REFERENCE_SECONDS, EDIT_SOURCE_SECONDS } from '#contract/tasks/video-edit.ts';
import { EngineError, type EngineJobOf, type EngineResult, type ResolvedReference } from '../../engine.ts';
import { readVideo, videoAt } from '../../tools/video-source.ts';
import { readPrompt } from '../brief/brief.ts';
import { hangBoxes } from '../draw/prints.ts';
import { readInstruction } from '../edit/instruction.ts';
import { jobSeed } from '../random.ts';
import { type PreviewContext, PREVIEW_NOTE } from '../preview-context.ts';
import { decodePrints, listReferences } from '../decode-references.ts';
import { sourceSize, type PixelSize } from '../sizes.ts';
import { encodeFinal } from '../video/encode-clip.ts';
import { lookGraph } from '../video/look-filters.ts';
import { preparePanels } from '../video/panels.ts';
import { hasSound, createSoundBed, extractSounds, type Sound } from '../video/sounds.ts';
import { normalizeClip } from '../video/normalize-clip.ts';

/** Lengths are rounded to frames; this much over a limit is still accepted. */
const TOLERANCE_SECONDS = 0.1;

export async function editVideo(job: EngineJobOf<'video.edit'>, kit: PreviewContext): Promise<EngineResult> {
  const { input, signal } = job;
  const reference = videoAt(job, 'video');
  const videos = listReferences(job, 'reference_videos');
  checkLengths(reference, videos);
  const images = listReferences(job, 'reference_images');
  const audio = listReferences(job, 'reference_audio');
  const source = await readVideo(kit.tools, job, 'video');
  const size = sourceSize(input.resolution, reference.media);
  const { prompt, generate_audio: sound } = input;
  const brief = readPrompt(prompt, job.model ?? '', jobSeed(job.generation_id));
  const { look, applied } = readInstruction(prompt, brief);
  const scratch = path.join(job.work_dir, 'scratch');
  const { duration_seconds, frame_count } = source;
  try {
    await mkdir(scratch, { recursive: true });
    const base = path.join(scratch, 'base.mp4');
    const mask = path.join(scratch, 'mask.png');
    const masked = look.background_blur > 0;
    if (masked) await writeMask(mask, size);
    await normalizeClip(kit.tools, source, {
      media: reference.media,
      size,
      graph: lookGraph(look, size, '[1:v]'),
      inputs: masked ? [mask] : [],
      file: base,
      signal,
      onProgress: (fraction) => job.onProgress(0.5 * fraction),
    });
    const prints = await decodePrints(kit.tools, job, images);
    const unit = Math.sqrt((size.width_px * size.height_px) / 1e6);
    const boxes = hangBoxes([...images, ...videos], size, 'along the foot');
    const panels = await preparePanels(kit.tools, {
      videos,
      boxes: boxes.slice(prints.length),
      unit_px: unit,
      fps: source.rate.text,
      duration_seconds,
      scratch,
      signal,
    });
    const sounds = sound
      ? await collectSounds(kit, brief, [reference, ...audio, ...videos], { duration_seconds, scratch, signal })
      : [];
    const veiled = boxes.length > 0 || brief.weather.some((kind) => kind !== 'stars');
    const veil = veiled
      ? kit.renderer.clip(
          {
            kind: 'clip',
            veil: true,
            brief,
            ...size,
            detail: 0.9,
            first: null,
            last: null,
            prints,
            boxes,
            frames: frame_count,
            fps: source.rate.per_second,
          },
          signal,
        )
      : null;
    const file = path.join(job.work_dir, 'video.mp4');
    await encodeFinal(kit.tools, {
      base,
      veil,
      rate: source.rate.text,
      size,
      panels,
      sounds,
      frame_count,
      duration_seconds,
      file,
      signal,
      onProgress: (fraction) => job.onProgress(0.5 + 0.5 * fraction),
    });
    const left_out = look.quarters % 2 === 1 ? ['quarter turns are left out: the clip keeps its shape'] : [];
    return {
      files: [file],
      data: {
        ...PREVIEW_NOTE,
        width: size.width_px,
        height: size.height_px,
        duration_seconds: Math.round(duration_seconds * 1e6) / 1e6,
        applied: [...applied.filter((name) => !/^rotated (90|270)|^cropped/.test(name)), ...left_out],
        sound: sounds.length === 0 ? 'none' : hasSound(reference) ? 'kept' : 'made',
        ...(boxes.length === 0 ? {} : { references_shown: boxes.length }),
      },
    };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
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

/** Mixes the audio of the clip and the references; without any, composes a sound bed. */
async function collectSounds(
  kit: PreviewContext,
  brief: Parameters<typeof createSoundBed>[1],
  given: readonly ResolvedReference[],
  options: { duration_seconds: number; scratch: string; signal: AbortSignal },
): Promise<Sound[]> {
  const taken = await extractSounds(kit.tools, given, options);
  return taken.length > 0 ? taken : [await createSoundBed(kit, brief, { ...options, under_others: false })];
}

/** White at the sides, where the background is assumed to be. */
async function writeMask(file: string, { width_px, height_px }: PixelSize): Promise<void> {
  const oval = `<svg xmlns="http://www.w3.org/2000/svg" width="${width_px}" height="${height_px}"><defs>
    <radialGradient id="g" cx="0.5" cy="0.54" r="0.5"><stop offset="0.5" stop-color="#000"/><stop offset="1" stop-color="#fff"/>
    </radialGradient></defs><rect width="100%" height="100%" fill="url(#g)"/></svg>`;
  await sharp(Buffer.from(oval)).removeAlpha().png().toFile(file);
}
