import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { ResolvedReference } from '../../engine.ts';
import { runFfmpeg } from '#server/media/ffmpeg.ts';
import { flags } from '#server/media/flags.ts';
import type { MediaTools } from '#server/media/media-tools.ts';
import type { Box } from '../draw/prints.ts';

export interface Panel {
  file: string;
  x_px: number;
  y_px: number;
}

const even = (value_px: number): number => Math.round(value_px / 2) * 2;

export async function preparePanels(
  tools: MediaTools,
  options: {
    videos: readonly ResolvedReference[];
    boxes: readonly Box[];
    unit_px: number;
    fps: string;
    duration_seconds: number;
    scratch: string;
    signal: AbortSignal;
  },
): Promise<Panel[]> {
  const { unit_px, duration_seconds, scratch, signal } = options;
  const panels: Panel[] = [];
  await mkdir(scratch, { recursive: true });
  for (const [index, video] of options.videos.entries()) {
    const box = options.boxes[index];
    if (!box) continue;
    const [width, height] = [even(box.width * unit_px), even(box.height * unit_px)];
    const file = path.join(scratch, `panel-${index}.mp4`);
    const fit = `fps=${options.fps}:start_time=0,scale=${width}:${height}:force_original_aspect_ratio=increase,crop=${width}:${height},setsar=1`;
    await runFfmpeg(tools, {
      signal,
      total_seconds: duration_seconds,
      args: [
        '-stream_loop',
        '-1',
        '-i',
        `file:${video.file}`,
        '-map',
        '0:v:0',
        '-vf',
        fit,
        ...flags(`-t ${duration_seconds} -an -sn -dn -c:v libx264 -preset ultrafast -crf 16 -pix_fmt yuv420p`),
        `file:${file}`,
      ],
    });
    panels.push({ file, x_px: even(box.x * unit_px), y_px: even(box.y * unit_px) });
  }
  return panels;
}
