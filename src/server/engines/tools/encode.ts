import { flags } from '../../media/flags.ts';
import type { ProbedStream } from '../../media/ffprobe.ts';
import type { MediaTools } from '../../media/media-tools.ts';

/** HDR transfer functions; their pictures look washed out on other screens unless converted. */
const HDR = new Set(['smpte2084', 'arib-std-b67']);
const TONE_MAP =
  'zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,format=yuv420p';

/** Filter that makes an HDR picture an ordinary one; none for the others. */
export const toneMap = (tools: MediaTools, stream: ProbedStream): string[] =>
  tools.has_zscale && HDR.has(stream.color_transfer ?? '') ? [TONE_MAP] : [];

/** Sound on a steady clock that begins with the picture: gaps are filled, a late start becomes silence. */
export const STEADY_SOUND = 'aresample=48000:async=1:first_pts=0';

export const VIDEO_CODEC: readonly string[] = flags('-c:v libx264 -preset veryfast -crf 18 -pix_fmt yuv420p');
export const AUDIO_CODEC: readonly string[] = flags('-c:a aac -b:a 192k');
/** Nothing of the source's notes, chapters or other tracks; playable from its beginning while it still loads. */
export const MP4_FILE: readonly string[] = flags(
  '-map_metadata -1 -map_chapters -1 -sn -dn -max_muxing_queue_size 4096 -movflags +faststart -f mp4',
);

/** Seconds as ffmpeg takes them. */
export const seconds = (value: number): string => value.toFixed(6);
