/** The shortest frame that is looked for: 60 a second. */
const SHORTEST_SECONDS = 1 / 60;
const LONGEST_SECONDS = 1 / 5;
/** For browsers that don't tell which frame they show. */
const USUAL_SECONDS = 1 / 25;
const SHOWN_WITHIN_MS = 400;

const tellsFrames = 'requestVideoFrameCallback' in HTMLVideoElement.prototype;

/** Seeks, and tells when the frame begins that is shown then; null where the browser does not say. */
function seekShown(video: HTMLVideoElement, seconds: number): Promise<number | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), SHOWN_WITHIN_MS);
    video.requestVideoFrameCallback((_now, { mediaTime }) => {
      clearTimeout(timer);
      resolve(mediaTime);
    });
    video.currentTime = seconds;
  });
}

/** How many frames a second a video has is not told: a frame on is found by looking a little further until another is shown. */
async function stepOn(video: HTMLVideoElement, shown_seconds: number): Promise<void> {
  for (let frame = SHORTEST_SECONDS; frame < LONGEST_SECONDS; frame *= 2) {
    const next = Math.min(video.duration, shown_seconds + frame * 1.5);
    const now = await seekShown(video, next);
    if (now === null || now > shown_seconds || next === video.duration) return;
  }
}

/** Shows the next frame of a video that stands, or the one before. */
export async function stepFrame(video: HTMLVideoElement, by: 1 | -1): Promise<void> {
  video.pause();
  if (!tellsFrames) {
    video.currentTime = Math.max(0, video.currentTime + by * USUAL_SECONDS);
    return;
  }
  const shown = await seekShown(video, video.currentTime);
  if (shown === null) return;
  if (by === 1) return stepOn(video, shown);
  await seekShown(video, Math.max(0, shown - SHORTEST_SECONDS / 2));
}
