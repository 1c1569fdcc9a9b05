import { flags } from '../../media/flags.ts';
import type { MediaTools } from '../../media/media-tools.ts';

const TONE_MAP =
  'zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p';

/** Filter that makes a picture of high dynamic range an ordinary one; none for the others. */
export const toneMap = (tools: MediaTools, { is_hdr }: { is_hdr?: boolean }): string[] =>
  is_hdr && tools.has_zscale ? [TONE_MAP] : [];

/** Sound on a steady clock that begins with the picture: gaps are filled, a late start becomes silence. */
export const STEADY_SOUND = 'aresample=48000:async=1:first_pts=0';

export const VIDEO_CODEC: readonly string[] = flags(
  '-c:v libx264 -preset veryfast -crf 18 -pix_fmt yuv420p -threads 8',
);
export const AUDIO_CODEC: readonly string[] = flags('-c:a aac -b:a 192k');
/** Nothing of the source's notes, chapters or other tracks; playable from its beginning while it still loads. */
export const MP4_FILE: readonly string[] = flags(
  '-map_metadata -1 -map_chapters -1 -sn -dn -max_muxing_queue_size 4096 -movflags +faststart -f mp4',
);

/** Seconds as ffmpeg takes them. */
export const seconds = (value: number): string => value.toFixed(6);
