import { useState } from 'react';
import type { JsonFieldSpec } from '#contract/task.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { TextArea } from '#web/ui/controls/text-input.tsx';
import { useField } from '../form-context.ts';

const formatJson = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
};

/** JSON, or the text while it is none. */
function parseJson(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** An object that no other control shows, as JSON. */
export function JsonInput({ field }: { field: JsonFieldSpec }) {
  const { value, error, onChange, onBlur } = useField(field.name);
  const [draft, setDraft] = useState<string | null>(null);
  return (
    <Field
      label={field.label}
      hint={field.help}
      error={error && typeof value === 'string' ? 'Enter valid JSON: an object.' : error?.message}
      {...(field.required ? { required: true } : { optional: true })}
    >
      <TextArea
        rows={4}
        name={field.name}
        spellCheck={false}
        autoCapitalize="off"
        dir="ltr"
        className="font-mono text-sm"
        placeholder={`{ "${field.keys[0] ?? ''}": … }`}
        value={draft ?? formatJson(value)}
        onChange={({ target }) => {
          setDraft(target.value);
          onChange(parseJson(target.value));
        }}
        onBlur={() => {
          setDraft(null);
          onBlur();
        }}
      />
    </Field>
  );
}
