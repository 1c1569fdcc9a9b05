import { type ComponentProps, useId } from 'react';
import { Field } from './field.tsx';

interface RadioCardsProps {
  label: string;
  options: readonly { value: string; label: string; hint: string }[];
  /** Attributes of each radio button, such as those that a form registers. */
  register: ComponentProps<'input'>;
  error?: string | undefined;
}

/** Selects one of a few options that need a sentence each. */
export function RadioCards({ label, options, register, error }: RadioCardsProps) {
  const id = useId();
  return (
    <Field label={label} group error={error}>
      <div role="radiogroup" aria-label={label} className="flex flex-col gap-2">
        {options.map((option) => (
          <label
            key={option.value}
            className="flex gap-3 rounded-md border border-line-strong px-3 py-2.5 transition-colors hover:bg-hover has-checked:border-amber has-checked:bg-amber-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              {...register}
              value={option.value}
              aria-labelledby={`${id}-${option.value}`}
              aria-describedby={`${id}-${option.value}-hint`}
              className="mt-0.5 size-4 flex-none accent-(--amber) outline-none"
            />
            <span>
              <span id={`${id}-${option.value}`} className="block font-medium">
                {option.label}
              </span>
              <span id={`${id}-${option.value}-hint`} className="block text-sm text-ink-2">
                {option.hint}
              </span>
            </span>
          </label>
        ))}
      </div>
    </Field>
  );
}
