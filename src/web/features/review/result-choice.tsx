import { useId } from 'react';
import type { Review } from '#contract/resources/review.ts';
import { cx } from '#web/ui/cx.ts';
import { Field } from '#web/ui/field.tsx';

interface ResultChoiceProps {
  review: Review;
  /** Why the received files cannot be the result; null if they can. */
  unusableReason: string | null;
  uploading: boolean;
  onChange: (uploading: boolean) => void;
}

export function ResultChoice({ review: { output }, unusableReason, uploading, onChange }: ResultChoiceProps) {
  const name = useId();
  const count = output.assets.length;
  const options = [
    {
      value: false,
      label: count === 1 ? 'Received file' : count > 1 ? `${count} received files` : 'Received result',
      sentence: unusableReason ?? 'As shown in the review.',
    },
    { value: true, label: 'Upload files', sentence: 'For example, from the provider’s site.' },
  ];
  return (
    <Field label="Result" group>
      <div role="radiogroup" aria-label="Result" className="flex flex-col gap-2">
        {options.map(({ value, label, sentence }) => {
          const disabled = !value && unusableReason !== null;
          return (
            <label
              key={label}
              className={cx(
                'flex gap-3 rounded-md border border-line-strong px-3 py-2.5 transition-colors has-checked:border-amber has-checked:bg-amber-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
                disabled ? 'border-dashed text-ink-3' : 'hover:bg-hover',
              )}
            >
              <input
                type="radio"
                name={name}
                aria-labelledby={`${name}-${value}`}
                aria-describedby={`${name}-${value}-about`}
                disabled={disabled}
                checked={value === uploading}
                onChange={() => onChange(value)}
                className="mt-0.5 size-4 flex-none accent-(--amber) outline-none"
              />
              <span>
                <span id={`${name}-${value}`} className="block font-medium">
                  {label}
                </span>
                <span
                  id={`${name}-${value}-about`}
                  className={cx('block text-sm', disabled ? 'text-ink-3' : 'text-ink-2')}
                >
                  {sentence}
                </span>
              </span>
            </label>
          );
        })}
      </div>
    </Field>
  );
}
