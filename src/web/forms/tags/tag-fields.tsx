import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Tag } from '#contract/resources/tag.ts';
import { tagsQuery } from '#web/api/queries/tags.ts';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { TagValueInput } from './tag-value-input.tsx';
import { keepTagValues, setTagValue, useTagValues } from './tag-values.ts';

/** Asks for the values of the organization's tags. Renders nothing if it has none. */
export function TagFields() {
  const { data: tags } = useQuery(tagsQuery);
  useEffect(() => {
    if (tags) keepTagValues(tags.map(({ name }) => name));
  }, [tags]);
  if (!tags || tags.length === 0) return null;
  return (
    <fieldset aria-label="Tags" className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
      {tags.map((tag) => (
        <TagField key={tag.name} tag={tag} />
      ))}
    </fieldset>
  );
}

function TagField({ tag: { name, label, required, values } }: { tag: Tag }) {
  const value = useTagValues()[name] ?? '';
  return (
    <Field label={label} required={required} optional={!required}>
      {values ? (
        <Select
          value={values.includes(value) ? value : ''}
          options={[
            { value: '', label: required ? 'Choose…' : 'None' },
            ...values.map((option) => ({ value: option, label: option })),
          ]}
          onChange={(next) => setTagValue(name, next)}
        />
      ) : (
        <TagValueInput name={name} value={value} onChange={(next) => setTagValue(name, next)} />
      )}
    </Field>
  );
}
