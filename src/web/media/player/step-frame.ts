/** The shortest frame that is looked for: 60 a second. */
const MIN_FRAME_SECONDS = 1 / 60;
const MAX_FRAME_SECONDS = 1 / 5;
/** For browsers that don't tell which frame they show. */
const DEFAULT_FRAME_SECONDS = 1 / 25;
const FRAME_TIMEOUT_MS = 2_000;

const supportsFrameCallback = 'requestVideoFrameCallback' in HTMLVideoElement.prototype;
/** When the frame begins that a video shows. */
const shownFrames = new WeakMap<HTMLVideoElement, number>();

/** Keeps an eye on which frame a video shows, so that it can be stepped from there. @returns how to stop */
export function watchFrames(video: HTMLVideoElement): () => void {
  if (!supportsFrameCallback) return () => undefined;
  let id = 0;
  const onFrame: VideoFrameRequestCallback = (_now, { mediaTime }) => {
    shownFrames.set(video, mediaTime);
    id = video.requestVideoFrameCallback(onFrame);
  };
  id = video.requestVideoFrameCallback(onFrame);
  return () => video.cancelVideoFrameCallback(id);
}

/** Seeks, and tells when the frame begins that is shown then; null where nothing was shown in time. */
function seekAndAwaitFrame(video: HTMLVideoElement, seconds: number): Promise<number | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), FRAME_TIMEOUT_MS);
    video.requestVideoFrameCallback((_now, { mediaTime }) => {
      clearTimeout(timer);
      resolve(mediaTime);
    });
    video.currentTime = seconds;
  });
}

/** How many frames a second a video has is not told: a frame on is found by looking a little further until another is shown. */
async function stepForward(video: HTMLVideoElement, from_seconds: number): Promise<void> {
  for (let frame = MIN_FRAME_SECONDS; frame < MAX_FRAME_SECONDS; frame *= 2) {
    const next = Math.min(video.duration, from_seconds + frame * 1.5);
    const now = await seekAndAwaitFrame(video, next);
    if (now === null || now > from_seconds || next === video.duration) return;
  }
}

/** Dispatched on a video when a step, or several in a row, are finished. */
export const STEPPED = 'stepped';

/** How many frames are still to be stepped. */
const pendingSteps = new WeakMap<HTMLMediaElement, number>();

/** Whether a step is under way: the current time is then one of those that it tries. */
export const isStepping = (media: HTMLMediaElement): boolean => pendingSteps.has(media);

/** Shows the next frame of a video that is watched, or the one before; asked for again meanwhile, it goes on. */
export function stepFrame(video: HTMLVideoElement, by: 1 | -1): void {
  const before = pendingSteps.get(video);
  pendingSteps.set(video, (before ?? 0) + by);
  if (before === undefined) void runPendingSteps(video);
}

async function runPendingSteps(video: HTMLVideoElement): Promise<void> {
  for (let left = pendingSteps.get(video); left; left = pendingSteps.get(video)) {
    const by = left > 0 ? 1 : -1;
    pendingSteps.set(video, left - by);
    await stepOne(video, by);
    if (!pendingSteps.get(video)) await seekToHundredth(video);
  }
  pendingSteps.delete(video);
  video.dispatchEvent(new Event(STEPPED));
}

/** The time shown and stored is in hundredths of a second, so the video stands on the first of them in its frame. */
async function seekToHundredth(video: HTMLVideoElement): Promise<void> {
  const from_seconds = shownFrames.get(video);
  if (from_seconds === undefined) return;
  const seconds = Math.min(video.duration, Math.ceil(from_seconds * 100 - 1e-3) / 100);
  if (video.currentTime !== seconds) await seekAndAwaitFrame(video, seconds);
}

async function stepOne(video: HTMLVideoElement, by: 1 | -1): Promise<void> {
  video.pause();
  const from_seconds = shownFrames.get(video);
  if (from_seconds === undefined) video.currentTime = Math.max(0, video.currentTime + by * DEFAULT_FRAME_SECONDS);
  else if (by === 1) await stepForward(video, from_seconds);
  else if (from_seconds > 0) await seekAndAwaitFrame(video, Math.max(0, from_seconds - MIN_FRAME_SECONDS / 2));
}
