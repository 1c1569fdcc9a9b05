import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Waveform } from '#contract/resources/media.ts';
import type { MediaKind } from '#contract/task.ts';
import type { DerivativeVariant } from '#server/platform/db/schema/derivative-schema.ts';
import { invalidMediaError, MediaError } from '#server/platform/media/media-error.ts';
import type { MediaTools } from '#server/platform/media/media-tools.ts';
import { readPeaks } from '#server/platform/media/read-peaks.ts';
import { shrinkImage } from '#server/platform/media/picture-jobs.ts';
import { inspectVideo, extractPoster, createVideoPreview } from '#server/platform/media/video-derivatives.ts';

export interface OriginalMedia {
  file: string;
  type: MediaKind;
  width: number | null;
  height: number | null;
  duration_seconds: number | null;
}

export interface DerivativeFile {
  variant: DerivativeVariant;
  file: string;
  extension: string;
  type: MediaKind;
  mime_type: string;
  width: number | null;
  height: number | null;
  duration_seconds: number | null;
}

const DECODE_OWNER = 'derivatives';

interface DeriveContext {
  tools: MediaTools;
  folder: string;
  signal: AbortSignal;
}

/** @param onCreated called for each file, so that a later failure does not lose it */
type DerivativeBuilder = (
  context: DeriveContext,
  original: OriginalMedia,
  onCreated: (copy: DerivativeFile) => void,
) => Promise<void>;

const THUMBNAIL_PROPERTIES = {
  extension: 'webp',
  type: 'image',
  mime_type: 'image/webp',
  duration_seconds: null,
} as const;
const THUMBNAIL_WIDTHS = { small: 320, large: 960 };

/** Derives the small thumbnail from the large one, so that the original is decoded once. */
async function createThumbnails(
  { tools, folder, signal }: DeriveContext,
  picture: string,
  onCreated: (copy: DerivativeFile) => void,
): Promise<void> {
  const [largeFile, smallFile] = [join(folder, 'large.webp'), join(folder, 'small.webp')];
  const options = { owner: DECODE_OWNER, signal };
  const large = await shrinkImage(tools, picture, { file: largeFile, width: THUMBNAIL_WIDTHS.large }, options);
  const small = await shrinkImage(tools, largeFile, { file: smallFile, width: THUMBNAIL_WIDTHS.small }, options);
  onCreated({
    ...THUMBNAIL_PROPERTIES,
    variant: 'thumbnail-320',
    file: smallFile,
    width: small.width,
    height: small.height,
  });
  if (large.width === small.width && large.height === small.height) return;
  onCreated({
    ...THUMBNAIL_PROPERTIES,
    variant: 'thumbnail-960',
    file: largeFile,
    width: large.width,
    height: large.height,
  });
}

const createVideoDerivatives: DerivativeBuilder = async (
  context,
  { file, width, height, duration_seconds },
  onCreated,
) => {
  const { tools, folder, signal } = context;
  if (!width || !height || !duration_seconds)
    throw invalidMediaError('The size and duration of the video are unknown.');
  const options = { owner: DECODE_OWNER, signal };
  const video = await inspectVideo(tools, { file, width, height, duration_seconds }, options);
  const poster = join(folder, 'poster.png');
  await extractPoster(tools, video, poster, { ...options, side: THUMBNAIL_WIDTHS.large });
  await createThumbnails(context, poster, onCreated);
  const preview = join(folder, 'preview.mp4');
  await createVideoPreview(tools, video, preview, options);
  const facts = { extension: 'mp4', type: 'video', mime_type: 'video/mp4' } as const;
  onCreated({ variant: 'preview', file: preview, ...facts, width: null, height: null, duration_seconds: null });
};

const createAudioDerivatives: DerivativeBuilder = async (
  { tools, folder, signal },
  { file, duration_seconds },
  onCreated,
) => {
  const peaks = await readPeaks(tools, file, { owner: DECODE_OWNER, signal });
  const waveform: Waveform = { object: 'waveform', duration_seconds: duration_seconds ?? 0, peaks };
  const output = join(folder, 'waveform.json');
  await writeFile(output, JSON.stringify(waveform));
  const facts = { extension: 'json', type: 'audio', mime_type: 'application/json', width: null, height: null } as const;
  onCreated({ variant: 'waveform', file: output, ...facts, duration_seconds });
};

const DERIVATIVE_BUILDERS = {
  image: (context, { file }, onCreated) => createThumbnails(context, file, onCreated),
  video: createVideoDerivatives,
  audio: createAudioDerivatives,
} as const satisfies Record<MediaKind, DerivativeBuilder>;

/**
 * If one fails, those before it are still returned. @returns `problem`: why one is missing, for the log
 * @throws the signal's reason if aborted; any error that the medium did not cause
 */
export async function createDerivativeFiles(
  context: DeriveContext,
  original: OriginalMedia,
): Promise<{ copies: readonly DerivativeFile[]; problem: string | null }> {
  const copies: DerivativeFile[] = [];
  try {
    await DERIVATIVE_BUILDERS[original.type](context, original, (copy) => void copies.push(copy));
    return { copies, problem: null };
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    const cause = error.cause instanceof Error ? ` ${error.cause.message}` : '';
    return { copies, problem: `${error.message}${cause}`.slice(0, 1_000) };
  }
}
