import { expect } from 'vitest';
import { readContainer, readPackets } from '#server/platform/media/ffprobe.ts';
import type { MediaTools } from '#server/platform/media/media-tools.ts';
import { parseRatio } from '#server/platform/media/probe-streams.ts';

const PACKET_SECONDS = 1_024 / 44_100;

/** Measures by the packets when picture and sound end: within a frame and a packet of each other, and as long as said. */
export async function expectEndTogether(
  tools: MediaTools,
  file: string,
  { seconds, hasSound = true }: { seconds?: number; hasSound?: boolean } = {},
): Promise<void> {
  const { streams, start_seconds } = await readContainer(tools, file, undefined);
  const picture = streams.find(({ codec_type }) => codec_type === 'video');
  const sound = streams.find(({ codec_type }) => codec_type === 'audio');
  if (!picture) throw new Error('There is no picture.');
  expect(sound !== undefined).toBe(hasSound);
  const frame = 1 / (parseRatio(picture.avg_frame_rate) ?? 25);
  const slack = frame + PACKET_SECONDS + 0.001;
  const pictureEnd = await endOf(tools, file, picture.index);
  if (seconds !== undefined) expect(Math.abs(pictureEnd - start_seconds - seconds)).toBeLessThan(slack);
  if (sound) expect(Math.abs(pictureEnd - (await endOf(tools, file, sound.index)))).toBeLessThan(slack);
}

async function endOf(tools: MediaTools, file: string, stream: number): Promise<number> {
  let end = 0;
  await readPackets(tools, file, { stream }, ({ ptsSeconds, duration_seconds }) => {
    if (ptsSeconds !== null) end = Math.max(end, ptsSeconds + duration_seconds);
  });
  return end;
}
