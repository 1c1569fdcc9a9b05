const MIN_FRAME_SECONDS = 1 / 60;
const MAX_FRAME_SECONDS = 1 / 5;
/** For browsers without `requestVideoFrameCallback`. */
const DEFAULT_FRAME_SECONDS = 1 / 25;
const FRAME_TIMEOUT_MS = 2_000;

const supportsFrameCallback = 'requestVideoFrameCallback' in HTMLVideoElement.prototype;
const shownFrames = new WeakMap<HTMLVideoElement, number>();

/** Tracks the current frame for `stepFrame`. Returns a cleanup function. */
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

/** Browsers do not tell the frame rate: this seeks a little further until another frame is shown. */
async function stepForward(video: HTMLVideoElement, fromSeconds: number): Promise<void> {
  for (let frame = MIN_FRAME_SECONDS; frame < MAX_FRAME_SECONDS; frame *= 2) {
    const next = Math.min(video.duration, fromSeconds + frame * 1.5);
    const shownSeconds = await seekAndAwaitFrame(video, next);
    if (shownSeconds === null || shownSeconds > fromSeconds || next === video.duration) return;
  }
}

/** Fires after the last of several consecutive steps. */
export const STEPPED = 'stepped';

const pendingSteps = new WeakMap<HTMLMediaElement, number>();

/** During a step, the current time is only a candidate. */
export const isStepping = (media: HTMLMediaElement): boolean => pendingSteps.has(media);

/** Calls during a step are queued. */
export function stepFrame(video: HTMLVideoElement, by: 1 | -1): void {
  const pending = pendingSteps.get(video);
  pendingSteps.set(video, (pending ?? 0) + by);
  if (pending === undefined) void runPendingSteps(video);
}

async function runPendingSteps(video: HTMLVideoElement): Promise<void> {
  for (let count = pendingSteps.get(video); count; count = pendingSteps.get(video)) {
    const by = count > 0 ? 1 : -1;
    pendingSteps.set(video, count - by);
    await stepOne(video, by);
    if (!pendingSteps.get(video)) await seekToHundredth(video);
  }
  pendingSteps.delete(video);
  video.dispatchEvent(new Event(STEPPED));
}

/** Times are shown and stored in hundredths of a second, so the video is set to the first one within its frame. */
async function seekToHundredth(video: HTMLVideoElement): Promise<void> {
  const fromSeconds = shownFrames.get(video);
  if (fromSeconds === undefined) return;
  const seconds = Math.min(video.duration, Math.ceil(fromSeconds * 100 - 1e-3) / 100);
  if (video.currentTime !== seconds) await seekAndAwaitFrame(video, seconds);
}

async function stepOne(video: HTMLVideoElement, by: 1 | -1): Promise<void> {
  video.pause();
  const fromSeconds = shownFrames.get(video);
  if (fromSeconds === undefined) video.currentTime = Math.max(0, video.currentTime + by * DEFAULT_FRAME_SECONDS);
  else if (by === 1) await stepForward(video, fromSeconds);
  else if (fromSeconds > 0) await seekAndAwaitFrame(video, Math.max(0, fromSeconds - MIN_FRAME_SECONDS / 2));
}
