import { X } from 'lucide-react';
import type { CSSProperties } from 'react';
import type { NumberField as NumberSpec } from '#contract/task.ts';
import { firstProblem } from '#web/forms/first-problem.ts';
import { useField, useForm } from '#web/forms/form-context.ts';
import { cx } from '#web/ui/cx.ts';
import { Field } from '#web/ui/field.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { NumberField } from '#web/ui/number-field.tsx';

const MOST_SLIDER_STEPS = 600;

/** A number: typed, stepped, and on a track where it has two ends that lie near enough. */
export function NumberInput({ field }: { field: NumberSpec }) {
  const { form } = useForm();
  const { value, problems } = useField(field.name);
  const number = typeof value === 'number' ? value : null;
  const step = field.step ?? 1;
  const slides = field.max !== null && (field.max - field.min) / step <= MOST_SLIDER_STEPS;
  const set = (next: number | null) => form.set(field.name, next);
  const leave = () => form.leave(field.name);
  return (
    <Field
      label={field.label}
      hint={field.help}
      error={firstProblem(problems)}
      required={field.required === true}
      optional={field.nullable === true}
    >
      <span className="flex items-center gap-3">
        {slides ? <Track field={field} value={number} step={step} onChange={set} onBlur={leave} /> : null}
        <NumberField
          name={field.name}
          value={number}
          onChange={set}
          onBlur={leave}
          min={field.min}
          step={step}
          {...(field.max === null ? {} : { max: field.max })}
          {...(field.unit ? { unit: field.unit } : {})}
          placeholder={field.empty_label}
          className={slides ? 'w-38! flex-none' : 'max-w-56'}
        />
        {field.nullable && number !== null ? (
          <IconButton
            label={`${field.label}: ${field.empty_label ?? 'empty'}`}
            icon={<X aria-hidden="true" className="size-4" />}
            onClick={() => set(null)}
          />
        ) : null}
      </span>
    </Field>
  );
}

function Track({
  field,
  value,
  step,
  onChange,
  onBlur,
}: {
  field: NumberSpec;
  value: number | null;
  step: number;
  onChange: (value: number) => void;
  onBlur: () => void;
}) {
  const min = field.exclusive_min ? field.min + step : field.min;
  const max = field.max ?? min;
  const fill = max > min ? (((value ?? min) - min) / (max - min)) * 100 : 0;
  const style: CSSProperties & Record<'--fill', string> = { '--fill': `${Math.min(100, Math.max(0, fill))}%` };
  return (
    <input
      type="range"
      aria-label={`${field.label}, on a track`}
      aria-valuetext={value === null ? field.empty_label : `${value}${field.unit ? ` ${field.unit}` : ''}`}
      min={min}
      max={max}
      step={step}
      value={value ?? min}
      style={style}
      className={cx('range min-w-0 flex-1', value === null && 'opacity-50')}
      onChange={(event) => onChange(Number(event.target.value))}
      onBlur={onBlur}
    />
  );
}
