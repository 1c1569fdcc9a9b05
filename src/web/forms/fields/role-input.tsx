import { cx } from '#web/ui/cx.ts';

export function RoleInput({
  name,
  role,
  onChange,
  className,
}: {
  name: string;
  role: string;
  onChange: (role: string) => void;
  className?: string;
}) {
  return (
    <input
      type="text"
      dir="auto"
      aria-label={`Role of ${name}`}
      placeholder="Role: style, person…"
      value={role}
      onChange={(event) => onChange(event.target.value)}
      className={cx(
        'h-8 min-w-0 bg-transparent px-2 text-xs -outline-offset-2 focus-visible:bg-hover pointer-coarse:h-11 pointer-coarse:text-base',
        className,
      )}
    />
  );
}
