import {
  AudioLines,
  BetweenHorizontalStart,
  Camera,
  Clapperboard,
  FastForward,
  type LucideIcon,
  Music,
  Paintbrush,
  Palette,
  Scissors,
  Speech,
} from 'lucide-react';

const ICONS: Readonly<Record<string, LucideIcon>> = {
  animate: Clapperboard,
  edit: Paintbrush,
  style: Palette,
  extend: FastForward,
  trim: Scissors,
  add_sound: Music,
  lip_sync: Speech,
  save_frame: Camera,
  voice: AudioLines,
};

/** @param step id of a `ContinueStep` */
export function ContinueIcon({ step, className }: { step: string; className?: string }) {
  const Icon = ICONS[step] ?? BetweenHorizontalStart;
  return <Icon aria-hidden="true" className={className} />;
}
