import type { ComponentProps } from 'react';
import { keepPosition } from './watched-position.ts';

/** The video of a player. Everything that plays with sound has the controls of `VideoPlayer` or `usePlayer` beside it. */
export function VideoElement(props: ComponentProps<'video'>) {
  const { src } = props;
  const keep = ({ currentTarget }: { currentTarget: HTMLVideoElement }) => {
    if (src) keepPosition(new URL(src, location.href).href, currentTarget.currentTime);
  };
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- uploaded and generated media have no captions
  return <video playsInline onTimeUpdate={keep} {...props} />;
}

export function AudioElement(props: ComponentProps<'audio'>) {
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- uploaded and generated media have no captions
  return <audio {...props} />;
}

/** A moving picture in place of a thumbnail, without sound and controls. */
export function SilentClip(props: Omit<ComponentProps<'video'>, 'muted' | 'controls'>) {
  return <video {...props} muted playsInline aria-hidden="true" tabIndex={-1} />;
}
