import { Plus, X } from 'lucide-react';
import { useFieldArray } from 'react-hook-form';
import { Button } from '#web/ui/controls/button.tsx';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { EditorSection, useParts, useStarterForm } from './editor-parts.tsx';
import { toPlaceholder } from './expressions.ts';
import { readReference, type Reference, stepReferences } from './step-references.ts';
import { type StarterResult, uniqueKey } from './starter-values.ts';
import { OtherProblems } from './validation.tsx';

export function ResultList() {
  const { control, getValues, setValue } = useStarterForm();
  const { fields, append, remove } = useFieldArray({ control, name: 'results' });
  const { steps, results } = useParts();
  const references = stepReferences(steps, true);
  const add = () => {
    const used = getValues('results');
    const text = JSON.stringify(used);
    const step = steps.findLast(({ key }) => !text.includes(`steps.${key}.`)) ?? steps.at(-1);
    const names = used.map(({ name }) => name);
    const value = step ? toPlaceholder(`steps.${step.key}.output.assets`) : '{{  }}';
    append({ name: uniqueKey(step?.name ?? '', names, 'result'), value }, { shouldFocus: false });
  };
  return (
    <EditorSection
      title="Results"
      intro={fields.length === 0 ? 'A run returns the files of its last steps.' : 'A run returns these files.'}
      path="output"
      actions={
        <Button size="sm" icon={<Plus aria-hidden="true" className="size-4" />} onClick={add}>
          Add result
        </Button>
      }
    >
      {fields.length === 0 ? null : (
        <>
          <ol aria-label="Results" className="flex flex-col gap-3">
            {fields.map(({ id }, at) => (
              <li key={id}>
                <ResultRow
                  result={results[at] ?? { name: '', value: null }}
                  references={references}
                  onChange={(result) => setValue(`results.${at}`, result)}
                  onRemove={() => remove(at)}
                />
              </li>
            ))}
          </ol>
          <Disclosure summary="Advanced">
            <div className="flex flex-col gap-4">
              {results.map(({ name, value }, at) => (
                <Field key={fields[at]?.id} label={`${name} as expression`}>
                  <TextInput
                    value={typeof value === 'string' ? value : JSON.stringify(value)}
                    // Values that are no text can only be edited as JSON.
                    readOnly={typeof value !== 'string'}
                    spellCheck={false}
                    className="font-mono text-sm"
                    onChange={(event) => setValue(`results.${at}.value`, event.target.value)}
                  />
                </Field>
              ))}
            </div>
          </Disclosure>
        </>
      )}
    </EditorSection>
  );
}

interface ResultRowProps {
  result: StarterResult;
  references: readonly Reference[];
  onChange: (result: StarterResult) => void;
  onRemove: () => void;
}

const EXPRESSION = '';

function ResultRow({ result, references, onChange, onRemove }: ResultRowProps) {
  const { name, value } = result;
  const path = `output.${name}`;
  const known = references.find((reference) => reference === readReference(value, references));
  const options = references.map((reference) => ({ value: reference.expression, label: reference.label }));
  return (
    <div data-path={path} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-start gap-2">
        <TextInput
          aria-label="Result name"
          value={name}
          spellCheck={false}
          className="min-w-32 flex-1"
          onChange={(event) => onChange({ ...result, name: event.target.value })}
        />
        <Select
          aria-label={`${name} source`}
          className="min-w-44 flex-[2]"
          value={known?.expression ?? EXPRESSION}
          options={known ? options : [...options, { value: EXPRESSION, label: 'Expression' }]}
          onChange={(next) => {
            if (next !== EXPRESSION) onChange({ ...result, value: toPlaceholder(next) });
          }}
        />
        <IconButton label={`Remove ${name}`} icon={<X aria-hidden="true" className="size-4" />} onClick={onRemove} />
      </div>
      <OtherProblems path={path} />
    </div>
  );
}
