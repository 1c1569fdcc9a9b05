import { Avatar, type AvatarProps } from './avatar.tsx';
import { cx } from '#web/ui/cx.ts';

interface PersonNameProps extends Pick<AvatarProps, 'id' | 'name' | 'isProgram'> {
  /** What screen readers read before the name, for example "By". */
  prefix?: string;
  size?: 'xs' | 'sm';
  className?: string;
}

/** Shows who did something: the avatar and the name of a person or a program, on one line. */
export function PersonName({ id, name, isProgram = false, prefix, size = 'sm', className }: PersonNameProps) {
  return (
    <span className={cx('inline-flex max-w-full min-w-0 items-center gap-1.5', className)}>
      <Avatar id={id} name={name} isProgram={isProgram} size={size} />
      {prefix ? <span className="sr-only">{prefix} </span> : null}
      <bdi className="truncate">{name}</bdi>
    </span>
  );
}
