import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Tag } from '#contract/resources/tag.ts';
import { tagsQuery } from '#web/api/queries/settings.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { NO_VALUE, setTagFilter, type TagFilter } from './tag-filter.ts';
import { TagValueInput } from './tag-value-input.tsx';

interface TagFilterFieldsProps {
  tags: TagFilter | undefined;
  onChange: (tags: TagFilter | undefined) => void;
}

/** Filters by any values of the organization's tags, since programs send unlisted ones too. Renders nothing if it has none. */
export function TagFilterFields({ tags = {}, onChange }: TagFilterFieldsProps) {
  const { data: defined = [] } = useQuery(tagsQuery);
  return defined.map((tag) => (
    <Field key={tag.name} label={tag.label}>
      <TagFilterField
        tag={tag}
        value={tags[tag.name]}
        onChange={(value) => onChange(setTagFilter(tags, tag.name, value))}
      />
    </Field>
  ));
}

interface TagFilterFieldProps {
  tag: Tag;
  /** null: none; undefined: any. */
  value: string | null | undefined;
  onChange: (value: string | null | undefined) => void;
}

function TagFilterField({ tag: { name, values }, value, onChange }: TagFilterFieldProps) {
  const shown = value === null ? NO_VALUE : (value ?? '');
  const [text, setText] = useState(shown);
  const [last, setLast] = useState(shown);
  if (shown !== last) {
    // The filter changed, here or elsewhere.
    setLast(shown);
    setText(shown);
  }
  const commit = (next: string) => {
    const chosen = next.trim();
    if (chosen !== shown) onChange(chosen === NO_VALUE ? null : chosen || undefined);
  };
  return (
    <TagValueInput
      name={name}
      value={text}
      onChange={setText}
      onCommit={commit}
      first={[NO_VALUE, ...(values ?? [])]}
      placeholder="Any"
    />
  );
}
