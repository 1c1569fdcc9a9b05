import { Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import type { FieldSpec } from '#contract/task.ts';
import { readReferences } from '#web/forms/form-values.ts';
import { serviceMediaSrc, useReferenceInfo } from '#web/api/reference-info.ts';
import { referenceName } from '#web/media/format-media.ts';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { useEditorState } from '../editor-context.ts';
import type { EditorStep } from '../editor-state.ts';
import { wholeExpression } from '../expressions.ts';
import { EXPRESSION_SOURCE, valueToOption, sourceOptions, optionToValue } from './source-options.ts';

interface SourceListProps {
  field: FieldSpec;
  step: EditorStep;
  items: readonly unknown[];
  onChange: (items: readonly unknown[]) => void;
}

export function SourceList({ field, step, items, onChange }: SourceListProps) {
  const state = useEditorState((now) => now);
  const options = sourceOptions(field, state, step, true);
  const replace = (at: number, value: unknown) => onChange(items.with(at, value));
  const [first] = options;
  return (
    <div className="flex flex-col gap-2">
      <ol aria-label={field.label} className="flex flex-col gap-2">
        {items.map((item, at) => (
          // Items have no identity of their own.
          // oxlint-disable-next-line react/no-array-index-key -- see above
          <li key={at} className="flex items-start gap-2">
            <span className="w-4 flex-none pt-2 text-right text-sm text-ink-3 tabular-nums">{at + 1}</span>
            <SourceSelect
              name={`${field.label} ${at + 1}`}
              item={item}
              options={options}
              onChange={(value) => replace(at, value)}
            />
            <IconButton
              label={`Remove ${field.label.toLowerCase()} ${at + 1}`}
              icon={<X aria-hidden="true" className="size-4" />}
              onClick={() => onChange(items.toSpliced(at, 1))}
            />
          </li>
        ))}
      </ol>
      <Button
        size="sm"
        className="self-start"
        icon={<Plus aria-hidden="true" className="size-4" />}
        onClick={() => onChange([...items, first ? optionToValue(first.value) : '{{  }}'])}
      >
        Add file
      </Button>
    </div>
  );
}

interface SourceSelectProps {
  name: string;
  item: unknown;
  options: ReturnType<typeof sourceOptions>;
  onChange: (value: unknown) => void;
}

function SourceSelect({ name, item, options, onChange }: SourceSelectProps) {
  const id = useId();
  const [isCustom, setCustom] = useState(false);
  const [reference] = readReferences(item);
  if (reference) return <FixedFile url={reference.url} />;
  const option = isCustom ? EXPRESSION_SOURCE : valueToOption(item);
  const known = options.some(({ value }) => value === option);
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-2">
      <label htmlFor={id} className="sr-only">
        {name} source
      </label>
      <Select
        id={id}
        value={option}
        options={[
          ...options,
          { value: EXPRESSION_SOURCE, label: 'Expression' },
          ...(known || option === EXPRESSION_SOURCE ? [] : [{ value: option, label: option }]),
        ]}
        onChange={(next) => {
          setCustom(next === EXPRESSION_SOURCE);
          onChange(next === EXPRESSION_SOURCE ? `{{ ${wholeExpression(item) ?? ''} }}` : optionToValue(next));
        }}
      />
      {option === EXPRESSION_SOURCE ? (
        <TextInput
          aria-label={`${name} expression`}
          value={wholeExpression(item) ?? ''}
          spellCheck={false}
          className="font-mono text-sm"
          onChange={(event) => onChange(`{{ ${event.target.value} }}`)}
        />
      ) : null}
    </div>
  );
}

function FixedFile({ url }: { url: string }) {
  const info = useReferenceInfo(url);
  return (
    <p className="min-w-0 flex-1 truncate pt-2 text-sm">{referenceName(url, info, serviceMediaSrc(url) !== null)}</p>
  );
}
