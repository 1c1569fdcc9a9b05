import { flags } from '#server/platform/media/flags.ts';

export interface OddClip {
  name: string;
  extension: string;
  /** Of ffmpeg, without the output. */
  args: string[];
}

const SECONDS = 2;

interface Container {
  extension: string;
  codecs: readonly (readonly [picture: string, sound: string])[];
  /** Beside those of the codecs. */
  args?: string;
}

const X264 = '-c:v libx264 -preset ultrafast -g 10 -bf 2 -pix_fmt yuv420p';
const VP8 = '-c:v libvpx -deadline realtime -cpu-used 8 -g 10';
const MPEG4 = '-c:v mpeg4 -g 10';
const AAC = '-c:a aac';

const CONTAINERS = {
  'plain MP4': {
    extension: 'mp4',
    codecs: [
      [X264, AAC],
      [MPEG4, '-c:a libmp3lame'],
    ],
  },
  'MP4 in fragments of half a second': {
    extension: 'mp4',
    codecs: [[X264, AAC]],
    args: '-movflags frag_keyframe+empty_moov+default_base_moof -frag_duration 500000',
  },
  'MP4 of one fragment': {
    extension: 'mp4',
    codecs: [[X264, AAC]],
    args: '-movflags empty_moov+default_base_moof -frag_duration 60000000 -g 600',
  },
  MOV: { extension: 'mov', codecs: [[X264, '-c:a pcm_s16le']] },
  MKV: {
    extension: 'mkv',
    codecs: [
      [X264, '-c:a flac'],
      [MPEG4, '-c:a libvorbis'],
    ],
  },
  WebM: { extension: 'webm', codecs: [[VP8, '-c:a libopus']] },
  'live WebM': { extension: 'webm', codecs: [[VP8, '-c:a libopus']], args: '-live 1' },
} as const satisfies Record<string, Container>;

/** Where picture and sound are on the clock of the file. */
const TIMINGS: Readonly<Record<string, { picture?: string; sound?: string; pictureFilter?: string; whole?: string }>> =
  {
    'both from 0': {},
    'both from 3 s': { whole: '-output_ts_offset 3' },
    'late sound': { sound: '-itsoffset 0.6' },
    'late picture': { picture: '-itsoffset 0.45' },
    'sound that ends early': { sound: '-t 0.7' },
    'sound that goes on': { picture: '-t 1.1' },
    'varying frame rate': { pictureFilter: "select='not(mod(n\\,3))+not(mod(n\\,4))'" },
  };

/** Containers × codecs × timings. */
export function listOddClips(): OddClip[] {
  return Object.entries(CONTAINERS).flatMap(([container, { extension, codecs, ...more }]) =>
    codecs.flatMap(([picture, sound]) =>
      Object.entries(TIMINGS).map(([timing, at]) => {
        const filter = at.pictureFilter === undefined ? [] : ['-vf', at.pictureFilter, '-vsync', 'vfr'];
        const moreArgs = 'args' in more ? flags(more.args) : [];
        return {
          name: `${container} with ${sound.split(' ')[1]}, ${timing}`,
          extension,
          args: [
            ...flags(`${at.picture ?? ''} -f lavfi -i testsrc2=s=64x36:r=25:d=${SECONDS}`),
            ...flags(`${at.sound ?? ''} -f lavfi -i sine=f=440:d=${SECONDS}`),
            ...flags(`-map 0 -map 1 ${picture} ${sound}`),
            ...filter,
            ...moreArgs,
            ...flags(at.whole ?? ''),
          ],
        };
      }),
    ),
  );
}
