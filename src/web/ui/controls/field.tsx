import { createContext, use, useId, type ReactNode } from 'react';
import { CircleAlert } from 'lucide-react';
import { cx } from '#web/ui/cx.ts';

export interface FieldControl {
  id?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
  'aria-required'?: true;
}

interface FieldContext {
  control: FieldControl;
  labelId: string;
}

const Context = createContext<FieldContext | null>(null);

/** Returns the attributes for a single control; none outside a Field. */
export function useFieldControl(): FieldControl {
  return use(Context)?.control ?? {};
}

/** Returns the attributes for a group of controls, which the label names. */
export function useFieldGroup(): { 'aria-labelledby'?: string; 'aria-describedby'?: string; 'aria-invalid'?: true } {
  const field = use(Context);
  if (!field) return {};
  const { 'aria-describedby': describedBy, 'aria-invalid': invalid } = field.control;
  return { 'aria-labelledby': field.labelId, 'aria-describedby': describedBy, 'aria-invalid': invalid };
}

/** Resets the context, for a dialog that opens from inside a Field. */
export function FieldBoundary({ children }: { children: ReactNode }) {
  return <Context value={null}>{children}</Context>;
}

export function ErrorText({ id, children }: { id?: string; children?: ReactNode }) {
  if (!children) return null;
  return (
    <p id={id} className="flex gap-1.5 text-sm text-bad">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 flex-none" />
      <span className="min-w-0">{children}</span>
    </p>
  );
}

function HintText({ id, children }: { id?: string; children?: ReactNode }) {
  return children ? (
    <p id={id} className="text-sm text-ink-3">
      {children}
    </p>
  ) : null;
}

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** A sentence. The control is marked as invalid while it is set. */
  error?: ReactNode;
  required?: boolean;
  optional?: boolean;
  /** Says that the control is a group, which takes no `<label for>`. */
  group?: boolean;
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

export function Field({ label, hint, error, required, optional, group, aside, className, children }: FieldProps) {
  const id = useId();
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ');
  const control: FieldControl = {
    id: `${id}-control`,
    'aria-describedby': described || undefined,
    'aria-invalid': error ? true : undefined,
    'aria-required': required ? true : undefined,
  };
  const name = (
    <>
      <bdi>{label}</bdi>
      {optional ? <span className="font-normal text-ink-3"> Optional</span> : null}
    </>
  );
  return (
    <div className={cx('flex min-w-0 flex-col gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-3">
        {group ? (
          <span id={`${id}-label`} className="text-sm font-medium text-ink">
            {name}
          </span>
        ) : (
          <label id={`${id}-label`} htmlFor={control.id} className="text-sm font-medium text-ink">
            {name}
          </label>
        )}
        {aside ? <span className="flex-none text-sm text-ink-3 tabular-nums">{aside}</span> : null}
      </div>
      <Context value={{ control, labelId: `${id}-label` }}>{children}</Context>
      <ErrorText id={`${id}-error`}>{error}</ErrorText>
      <HintText id={`${id}-hint`}>{hint}</HintText>
    </div>
  );
}
