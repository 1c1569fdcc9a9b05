import { useId, type ComponentProps, type ReactNode } from 'react';
import { cx } from '#web/ui/cx.ts';

export interface ToggleProps extends Omit<ComponentProps<'input'>, 'type' | 'checked' | 'onChange'> {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: ReactNode;
  hint?: ReactNode;
}

export interface CheckboxProps extends ToggleProps {
  indeterminate?: boolean;
  describedBy?: string;
}

export function Checkbox({
  checked,
  onChange,
  label,
  hint,
  className,
  indeterminate,
  describedBy,
  ...rest
}: CheckboxProps) {
  const id = useId();
  return (
    <label className={cx('flex items-start gap-2.5', className)}>
      <input
        type="checkbox"
        aria-labelledby={`${id}-label`}
        aria-describedby={[hint ? `${id}-hint` : '', describedBy ?? ''].filter(Boolean).join(' ') || undefined}
        {...rest}
        ref={(box) => {
          if (box) box.indeterminate = indeterminate ?? false;
        }}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="tick mt-px"
      />
      <ToggleText label={label} hint={hint} id={id} />
    </label>
  );
}

/** Renders a switch, for a setting that takes effect at once. */
export function Switch({ checked, onChange, label, hint, className, ...rest }: ToggleProps) {
  const id = useId();
  return (
    <label className={cx('flex items-start justify-between gap-3', className)}>
      <ToggleText label={label} hint={hint} id={id} />
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint ? `${id}-hint` : undefined}
        {...rest}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="switch mt-px"
      />
    </label>
  );
}

function ToggleText({ label, hint, id }: { label: ReactNode; hint: ReactNode; id: string }) {
  return (
    <span className="min-w-0">
      <span id={`${id}-label`} className="block text-sm font-medium text-ink">
        {label}
      </span>
      {hint ? (
        <span id={`${id}-hint`} className="block text-sm text-ink-3">
          {hint}
        </span>
      ) : null}
    </span>
  );
}
