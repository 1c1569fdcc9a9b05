import type { VideoSource } from './video-source.ts';

/** Encoders pad the last packet, so shorter differences are none. */
const NOTABLE_SECONDS = 0.1;

const seconds = (value: number): string => `${Math.round(value * 100) / 100} s`;

/** What a result says of changes that nobody asked for; nothing if there are none. */
export const changesOf = (sentences: readonly (string | null)[]): { changes?: string } => {
  const changes = [...new Set(sentences.filter((sentence) => sentence !== null))].join(' ');
  return changes === '' ? {} : { changes };
};

/** The tracks of a source that a result does not have, and what its picture loses. */
export function pictureChanges({ leftOut, isVariable, isHdr, hasAlpha, rate }: VideoSource): (string | null)[] {
  return [
    leftOut.length === 0 ? null : `Left out: ${leftOut.join(', ')}.`,
    isVariable ? `The frame rate varied and is ${Math.round(rate.per_second * 1000) / 1000} a second now.` : null,
    isHdr ? 'The high dynamic range became standard range.' : null,
    hasAlpha ? 'The transparency was filled.' : null,
  ];
}

/** How sound from one time on fits a picture of some length. */
export function fitChange(subject: string, soundSeconds: number | null, pictureSeconds: number): string | null {
  if (soundSeconds === null) return null;
  const over = soundSeconds - pictureSeconds;
  if (over > NOTABLE_SECONDS) return `${subject} is ${seconds(over)} longer than the picture: the rest was left out.`;
  if (over < -NOTABLE_SECONDS) return `${subject} is ${seconds(-over)} shorter than the picture: silence follows.`;
  return null;
}

export const downmixChange = (channels: number | undefined): string | null =>
  (channels ?? 0) > 2 ? 'The surround sound became stereo.' : null;
