import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Tag } from '#contract/resources/tag.ts';
import { tagsQuery } from '#web/api/queries/settings.ts';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { clearTagProblem, tagPath, useTagProblem } from './tag-problems.ts';
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
  const problem = useTagProblem(name);
  const change = (next: string) => {
    setTagValue(name, next);
    clearTagProblem(name);
  };
  return (
    <div data-field={tagPath(name)}>
      <Field
        label={
          <>
            <bdi>{label}</bdi>
            {required ? (
              <span aria-hidden="true" className="font-normal text-ink-3">
                {' '}
                Required
              </span>
            ) : null}
          </>
        }
        required={required}
        optional={!required}
        error={problem}
      >
        {values ? (
          <Select
            value={values.includes(value) ? value : ''}
            options={[
              { value: '', label: required ? 'Choose…' : 'None' },
              ...values.map((option) => ({ value: option, label: option })),
            ]}
            onChange={change}
          />
        ) : (
          <TagValueInput name={name} value={value} onChange={change} />
        )}
      </Field>
    </div>
  );
}
