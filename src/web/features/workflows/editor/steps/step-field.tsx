import { useRef } from 'react';
import type { FieldSpec } from '#contract/task.ts';
import { FormField } from '#web/forms/form-field.tsx';
import { toPlaceholder, wholeExpression } from '../expressions.ts';
import { fitsField, fixedValue, isExpression, isRequiredField, type Reference } from '../step-references.ts';
import { PathField } from '../validation.tsx';
import { ReferenceChips } from './reference-chips.tsx';
import { ReferenceMenu } from './reference-menu.tsx';
import { TextWithReferences } from './text-with-references.tsx';

interface StepFieldProps {
  field: FieldSpec;
  value: unknown;
  /** Path of the value in the workflow's JSON. */
  path: string;
  references: readonly Reference[];
  /** Undefined removes the value, so that the task uses its default. */
  onChange: (value: unknown) => void;
}

/** A setting of a step: a control, or chips for what comes from an input or another step. */
export function StepField({ field, value, path, references, onChange }: StepFieldProps) {
  const insert = useRef<(reference: Reference) => void>(null);
  const fitting = references.filter((reference) => fitsField(field, reference));
  const isRequired = isRequiredField(field);
  const items = itemsWithExpressions(value);
  const pick = (reference: Reference) => {
    if (insert.current) insert.current(reference);
    else onChange(addReference(field, value, reference, references));
  };
  const removeAt = (at: number) => {
    const rest = items?.toSpliced(at, 1) ?? [];
    if (rest.length === 0) onChange(isRequired ? fixedValue(field) : undefined);
    else onChange(rest.length === 1 && isExpression(rest[0]) ? rest[0] : rest);
  };
  return (
    <div data-path={path} className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        {field.kind === 'text' ? (
          <PathField
            group
            label={field.label}
            hint={field.help}
            path={path}
            {...(isRequired ? { required: true } : { optional: true })}
          >
            <TextWithReferences
              value={typeof value === 'string' ? value : ''}
              multiline={field.multiline === true}
              references={references}
              insertRef={insert}
              onChange={(text) => onChange(text === '' && !isRequired ? undefined : text)}
            />
          </PathField>
        ) : items ? (
          <PathField group label={field.label} hint={field.help} path={path}>
            <ReferenceChips label={field.label} items={items} references={references} onRemove={removeAt} />
          </PathField>
        ) : (
          <FormField field={field} />
        )}
      </div>
      <div className="flex-none pt-6.5">
        <ReferenceMenu
          label={field.label}
          references={fitting}
          onPick={pick}
          onReset={value === undefined || isRequired ? null : () => onChange(undefined)}
        />
      </div>
    </div>
  );
}

/** Returns the parts of a value that an expression fills; null for a fixed one. */
function itemsWithExpressions(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value.some(isExpression) ? value : null;
  return isExpression(value) ? [value] : null;
}

/** A field for several files keeps those that it has; all files of a list replace them. */
function addReference(field: FieldSpec, value: unknown, added: Reference, references: readonly Reference[]): unknown {
  const placeholder = toPlaceholder(added.expression);
  const isList = (item: unknown) =>
    references.some(({ kind, expression }) => kind === 'files' && expression === wholeExpression(item));
  if (field.kind !== 'references' || added.kind === 'files') return placeholder;
  const before = [value ?? []].flat().filter((item) => !isList(item));
  return before.length === 0 ? placeholder : [...before, placeholder];
}
