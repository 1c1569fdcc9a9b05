import { useMemo, useState } from 'react';
import type { ChoiceFieldSpec } from '#contract/task.ts';
import { Combobox } from '#web/ui/controls/combobox.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { useField } from '../form-context.ts';
import { optionLabel } from '#web/forms/values/format-field-value.ts';
import { matchOptions } from './match-options.ts';

/** One of many options, found by typing. What is no option stays in the field and is refused. */
export function SearchChoiceInput({ field }: { field: ChoiceFieldSpec }) {
  const { value, error, onChange, onBlur } = useField(field.name);
  const [search, setSearch] = useState<string | null>(null);
  const labels = useMemo(() => new Map(field.options.map((option) => [optionLabel(field, option), option])), [field]);
  const names = useMemo(() => [...labels.keys()], [labels]);
  const isSet = typeof value === 'string' || typeof value === 'number';
  const change = (text: string) => {
    setSearch(text);
    const option = labels.get(text);
    if (option !== undefined) onChange(option);
    else if (text === '' && field.nullable) onChange(null);
  };
  return (
    <Field
      label={field.label}
      hint={field.help}
      error={error?.message}
      required={field.default === undefined}
      optional={field.nullable === true}
    >
      <Combobox
        value={search ?? (isSet ? optionLabel(field, value) : '')}
        options={search === null ? matchOptions(names, '') : matchOptions(names, search)}
        onChange={change}
        onCommit={(text) => {
          if (search !== null && !labels.has(text) && !(text === '' && field.nullable)) onChange(text);
          setSearch(null);
          onBlur();
        }}
        placeholder={`Search ${field.options.length.toLocaleString('en-US')} options`}
      />
    </Field>
  );
}
