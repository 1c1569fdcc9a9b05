import type { CSSProperties } from 'react';
import { KeyRound } from 'lucide-react';
import { cx } from '#web/ui/cx.ts';
import { initialsOf } from './initials.ts';

const SIZE_CLASSES = {
  xs: 'size-4.5 text-[0.5625rem]',
  sm: 'size-5.5 text-2xs',
  md: 'size-7 text-xs',
  lg: 'size-10 text-base',
} as const;

export interface AvatarProps {
  /** Decides the color: the id of a person, or of the key of a program. */
  id: string;
  name: string;
  /** Shows a key instead of initials. */
  isProgram?: boolean;
  size?: keyof typeof SIZE_CLASSES;
  className?: string;
}

/** Shows the initials of a person on a color of their own. Decorative: the name is beside it or in a label. */
export function Avatar({ id, name, isProgram = false, size = 'md', className }: AvatarProps) {
  const shape = cx(
    'inline-flex flex-none items-center justify-center font-semibold tracking-tight select-none',
    isProgram ? 'rounded-sm border border-line-strong bg-surface text-ink-3' : 'avatar rounded-full',
    SIZE_CLASSES[size],
    className,
  );
  return isProgram ? (
    <span aria-hidden="true" className={shape}>
      <KeyRound className="size-[55%]" />
    </span>
  ) : (
    <span aria-hidden="true" className={shape} style={{ '--hue': hueOf(id) } as CSSProperties}>
      {initialsOf(name)}
    </span>
  );
}

const HUES = 12;

/** Returns one of twelve hues in degrees, the same one for the same id. */
function hueOf(id: string): number {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return (hash % HUES) * (360 / HUES) + 15;
}
