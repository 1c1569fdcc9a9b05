import type { Size, SizeFieldSpec } from '#contract/task.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { NumberField } from '#web/ui/controls/number-field.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { useField } from '../form-context.ts';
import { readRow } from '#web/forms/values/form-values.ts';

const OWN_SIZE = 'own';
const UNSET = '';
const START_PX = 1024;

/** A named size, or an own one. */
export function SizeInput({ field }: { field: SizeFieldSpec }) {
  const { options, option_labels, min, max, step = 1, default: preset } = field;
  const { value, error, onChange, onBlur } = useField(field.name);
  const own = typeof value === 'object' && value !== null ? (readRow(value) as Partial<Size>) : null;
  const start = Math.min(max, Math.max(min, START_PX));
  const choose = (key: string) => {
    if (key === OWN_SIZE) onChange({ width: start, height: start });
    else onChange(key === UNSET ? (preset ?? null) : key);
    onBlur();
  };
  const side = (name: keyof Size, label: string) => (
    <NumberField
      aria-label={`${field.label}: ${label}`}
      value={own?.[name] ?? null}
      min={min}
      max={max}
      step={step}
      unit="px"
      onChange={(pixels) => onChange({ ...own, [name]: pixels })}
      onBlur={onBlur}
    />
  );
  return (
    <Field label={field.label} hint={field.help} error={error?.message} group optional={field.nullable === true}>
      <div className="grid gap-2 sm:grid-cols-3">
        <Select
          aria-label={field.label}
          value={own ? OWN_SIZE : typeof value === 'string' ? value : UNSET}
          options={[
            ...(field.nullable || typeof value !== 'string' ? [{ value: UNSET, label: 'Not set' }] : []),
            ...options.map((option) => ({ value: option, label: option_labels?.[option] ?? option })),
            { value: OWN_SIZE, label: 'Width and height' },
          ]}
          onChange={choose}
        />
        {own ? (
          <>
            {side('width', 'Width')}
            {side('height', 'Height')}
          </>
        ) : null}
      </div>
    </Field>
  );
}
