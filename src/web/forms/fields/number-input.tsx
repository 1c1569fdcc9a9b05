import { X } from 'lucide-react';
import type { NumberFieldSpec } from '#contract/task.ts';
import { formatFieldValue } from '../format-field-value.ts';
import { useField } from '../form-context.ts';
import { Field } from '#web/ui/field.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { Slider } from '#web/ui/slider.tsx';

const MAX_SLIDER_STEPS = 600;

export function NumberInput({ field }: { field: NumberFieldSpec }) {
  const { value, error, onChange, onBlur } = useField(field.name);
  const number = typeof value === 'number' ? value : null;
  const step = field.step ?? 1;
  const has_slider = field.max !== null && (field.max - field.min) / step <= MAX_SLIDER_STEPS;
  return (
    <Field
      label={field.label}
      hint={field.help}
      error={error?.message}
      required={field.required === true}
      optional={field.nullable === true}
    >
      <span className="flex items-center gap-3">
        {has_slider && field.max !== null ? (
          <Slider
            label={`${field.label} slider`}
            valueText={formatFieldValue(field, number)}
            value={number}
            min={field.exclusive_min ? field.min + step : field.min}
            max={field.max}
            step={step}
            onChange={onChange}
            onBlur={onBlur}
          />
        ) : null}
        <NumberField
          name={field.name}
          value={number}
          onChange={onChange}
          onBlur={onBlur}
          min={field.min}
          step={step}
          {...(field.max === null ? {} : { max: field.max })}
          {...(field.unit ? { unit: field.unit } : {})}
          placeholder={field.empty_label}
          className={has_slider ? 'w-38! flex-none pointer-coarse:w-44!' : 'max-w-56'}
        />
        {field.nullable && number !== null ? (
          <IconButton
            label={`${field.label}: ${field.empty_label ?? 'empty'}`}
            icon={<X aria-hidden="true" className="size-4" />}
            onClick={() => onChange(null)}
          />
        ) : null}
      </span>
    </Field>
  );
}
