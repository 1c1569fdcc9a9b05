import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SyncMode } from '#contract/tasks/video-lipsync.ts';
import { runFfmpeg } from '#server/platform/media/ffmpeg.ts';
import { flags } from '#server/platform/media/flags.ts';
import type { MediaTools } from '#server/platform/media/media-tools.ts';
import { EngineError, type EngineJobOf, type EngineResult } from '#server/models/engine/engine.ts';
import { type FrameRate, readVideo, videoAt, type VideoSource } from '#server/models/tools/video-source.ts';
import { listReferences } from '#server/models/preview/references.ts';
import { withTempDirectory } from '#server/models/preview/temp-directory.ts';
import { PREVIEW_NOTE, type PreviewContext } from '#server/models/preview/preview-context.ts';
import {
  AUDIO_FLAGS,
  extractSound,
  hasSound,
  normalizeClip,
  SCRATCH_CODEC,
  videoFlags,
} from '#server/models/preview/clip.ts';

/** Duration of the result, from those of video and audio. Decision: Tools */
const DURATIONS = {
  cut_off: (video, audio) => Math.min(video, audio),
  silence: (video) => video,
  loop: (_video, audio) => audio,
  bounce: (_video, audio) => audio,
  remap: (_video, audio) => audio,
} as const satisfies Record<SyncMode, (videoSeconds: number, audio_seconds: number) => number>;

interface LipsyncClip {
  kit: PreviewContext;
  source: VideoSource;
  clip: string;
  audio_seconds: number;
  scratch: string;
  signal: AbortSignal;
}

type Picture = { input: string[]; filter: string };

const HOLD_LAST_FRAME = 'tpad=stop_mode=clone:stop_duration=2';
const playOnce = ({ clip }: LipsyncClip): Picture => ({ input: flags`-i file:${clip}`, filter: HOLD_LAST_FRAME });

const PICTURES = {
  cut_off: playOnce,
  silence: playOnce,
  loop: (take) =>
    take.audio_seconds <= take.source.duration_seconds
      ? playOnce(take)
      : { input: flags`-stream_loop -1 -i file:${take.clip}`, filter: 'null' },
  bounce: (take) => playBackAndForth(take),
  remap: ({ clip, audio_seconds, source }) => ({
    input: flags`-i file:${clip}`,
    filter: `setpts=PTS*${(audio_seconds / source.duration_seconds).toFixed(9)},fps=${source.rate.text},${HOLD_LAST_FRAME}`,
  }),
} as const satisfies Record<SyncMode, (take: LipsyncClip) => Picture | Promise<Picture>>;

async function playBackAndForth(take: LipsyncClip): Promise<Picture> {
  const { kit, clip, source, audio_seconds, scratch, signal } = take;
  if (audio_seconds <= source.duration_seconds) return playOnce(take);
  const back = await reverseClip(kit.tools, {
    clip,
    frame_count: source.frame_count,
    rate: source.rate,
    scratch,
    signal,
  });
  const turns = Math.ceil(audio_seconds / source.duration_seconds);
  const files = Array.from({ length: turns }, (_, turn) => (turn % 2 === 0 ? [clip] : back)).flat();
  const list = path.join(scratch, 'turns.txt');
  await writeFile(list, files.map((file) => `file '${path.basename(file)}'\n`).join(''));
  return { input: flags`-f concat -safe 0 -i file:${list}`, filter: `setpts=N/(${source.rate.text})/TB` };
}

/** Adds a recording to a video. The mouth does not move, because that needs a model; `data` states this. */
export async function lipsyncVideo(job: EngineJobOf<'video.lipsync'>, kit: PreviewContext): Promise<EngineResult> {
  const { signal } = job;
  const mode = job.input.sync_mode;
  const source = await readVideo(kit.tools, job, 'video');
  const audio = listReferences(job, 'audio')[0];
  const audioSeconds = audio?.media.duration_seconds ?? 0;
  if (!audio || !hasSound(audio) || audioSeconds <= 0)
    throw new EngineError('invalid_media', 'The recording has no sound in it.');
  const durationSeconds = DURATIONS[mode](source.duration_seconds, audioSeconds);
  return withTempDirectory(job, async (scratch) => {
    const clip = path.join(scratch, 'clip.mp4');
    const sound = path.join(scratch, 'sound.wav');
    const size = { width: source.width, height: source.height };
    const onProgress = (fraction: number): void => job.onProgress(0.45 * fraction);
    await normalizeClip(kit.tools, source, {
      media: videoAt(job, 'video').media,
      size,
      file: clip,
      signal,
      onProgress,
    });
    await extractSound(kit.tools, audio, { file: sound, duration_seconds: durationSeconds, signal });
    const picture = await PICTURES[mode]({ kit, source, clip, audio_seconds: audioSeconds, scratch, signal });
    job.onProgress(0.6);
    const file = path.join(job.workDir, 'video.mp4');
    await runFfmpeg(kit.tools, {
      trusted: true,
      args: flags`${picture.input} -i file:${sound} -map 0:v:0 -map 1:a:0 -vf ${picture.filter} -af apad ${AUDIO_FLAGS}
        ${videoFlags(size)} -t ${durationSeconds.toFixed(6)} file:${file}`,
      total_seconds: durationSeconds,
      signal,
      onProgress: (fraction) => job.onProgress(0.6 + 0.4 * fraction),
    });
    return {
      files: [file],
      data: {
        ...PREVIEW_NOTE,
        sync_mode: mode,
        duration_seconds: Math.round(durationSeconds * 1e6) / 1e6,
        mouth_animated: false,
        lip_sync: 'The recording is put under the video; the mouth is not moved, which needs the model.',
      },
    };
  });
}

/** Frames held in memory at a time: a whole clip of 1080p would need gigabytes. */
const CHUNK_FRAMES = 30;

/** Reverses a clip in chunks. @returns the chunks in playing order */
async function reverseClip(
  tools: MediaTools,
  options: { clip: string; frame_count: number; rate: FrameRate; scratch: string; signal: AbortSignal },
): Promise<string[]> {
  const { clip, frame_count, rate, scratch, signal } = options;
  const pieces: string[] = [];
  for (let from = 0; from < frame_count; from += CHUNK_FRAMES) {
    const count = Math.min(CHUNK_FRAMES, frame_count - from);
    const file = path.join(scratch, `back-${from}.mp4`);
    // Half a frame early, so that the wanted frame is the first one after it however times are rounded.
    const startSeconds = Math.max(0, (from - 0.5) / rate.per_second);
    await runFfmpeg(tools, {
      trusted: true,
      signal,
      args: flags`-ss ${startSeconds.toFixed(6)} -i file:${clip} -vf ${`trim=end_frame=${count},reverse,setpts=N/(${rate.text})/TB`}
        -frames:v ${count} -an ${SCRATCH_CODEC} file:${file}`,
    });
    pieces.unshift(file);
  }
  return pieces;
}
