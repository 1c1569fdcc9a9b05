import type { MediaLimits } from './media-limits.ts';

export interface SeedanceLimits {
  /** How people know it. */
  name: string;
  frames: MediaLimits;
  images: MediaLimits;
  videos: MediaLimits;
  audio: MediaLimits;
  max_files: number;
}

const FRAMES = {
  name: 'JPEG, PNG and WebP images',
  mime_types: ['image/jpeg', 'image/png', 'image/webp'],
  max_megabytes: 30,
} as const satisfies MediaLimits;
const VIDEOS = { name: 'MP4 and MOV videos', mime_types: ['video/mp4', 'video/quicktime'] } as const;
const AUDIO = {
  name: 'MP3 and WAV audio',
  mime_types: ['audio/mpeg', 'audio/wav'],
  max_megabytes: 15,
} as const satisfies MediaLimits;

/** fal.ai/models/bytedance/seedance-2.0/mini/reference-to-video/llms.txt, read 2026-11-23; the same for all three. */
export const SEEDANCE_20_LIMITS: SeedanceLimits = {
  name: 'Seedance 2.0',
  frames: FRAMES,
  images: FRAMES,
  videos: { ...VIDEOS, total_seconds: [2, 15], max_total_megabytes: 50, pixels: [640 * 640, 834 * 1112] },
  audio: { ...AUDIO, total_seconds: [0, 15] },
  max_files: 12,
};

/** fal.ai/models/bytedance/seedance-2.5/reference-to-video/llms.txt, read 2026-11-23. */
export const SEEDANCE_25_LIMITS: SeedanceLimits = {
  name: 'Seedance 2.5',
  frames: FRAMES,
  images: {
    name: 'JPEG, PNG, WebP and GIF images',
    mime_types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
    max_megabytes: 30,
  },
  videos: {
    ...VIDEOS,
    seconds: [1.8, 30.2],
    total_seconds: [0, 30.2],
    max_megabytes: 200,
    side_pixels: [300, 6000],
    ratio: [0.4, 2.5],
    fps: [24, 60],
  },
  audio: { ...AUDIO, seconds: [1.8, 30.2], total_seconds: [0, 30.2] },
  max_files: 50,
};
