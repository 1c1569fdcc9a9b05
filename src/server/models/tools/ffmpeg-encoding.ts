import { flags } from '#server/platform/media/flags.ts';

/** Starts audio with the video: gaps are filled, a late start becomes silence. */
export const STEADY_AUDIO_FILTER = 'aresample=48000:async=1:first_pts=0';

export const VIDEO_CODEC_FLAGS: readonly string[] = flags(
  '-c:v libx264 -preset veryfast -crf 18 -pix_fmt yuv420p -threads 8',
);
export const AUDIO_CODEC_FLAGS: readonly string[] = flags('-c:a aac -b:a 192k');
/** Drops metadata, chapters and other tracks; playable while it loads. */
export const MP4_FLAGS: readonly string[] = flags(
  '-map_metadata -1 -map_chapters -1 -sn -dn -max_muxing_queue_size 4096 -movflags +faststart -f mp4',
);

export const formatFfmpegSeconds = (value: number): string => value.toFixed(6);
