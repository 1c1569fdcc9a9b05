import { flags } from '#server/media/flags.ts';

/** Sound on a steady clock that begins with the picture: gaps are filled, a late start becomes silence. */
export const STEADY_AUDIO_FILTER = 'aresample=48000:async=1:first_pts=0';

export const VIDEO_CODEC_FLAGS: readonly string[] = flags(
  '-c:v libx264 -preset veryfast -crf 18 -pix_fmt yuv420p -threads 8',
);
export const AUDIO_CODEC_FLAGS: readonly string[] = flags('-c:a aac -b:a 192k');
/** Nothing of the source's notes, chapters or other tracks; playable from its beginning while it still loads. */
export const MP4_FLAGS: readonly string[] = flags(
  '-map_metadata -1 -map_chapters -1 -sn -dn -max_muxing_queue_size 4096 -movflags +faststart -f mp4',
);

/** Seconds as ffmpeg takes them. */
export const formatFfmpegSeconds = (value: number): string => value.toFixed(6);
