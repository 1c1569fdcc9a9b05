import { X } from 'lucide-react';
import { useRef } from 'react';
import type { FieldSpec } from '#contract/task.ts';
import { serviceMediaSrc, useReferenceInfo } from '#web/api/reference-info.ts';
import { FormField } from '#web/forms/form-field.tsx';
import { readReferences } from '#web/forms/form-values.ts';
import { referenceName } from '#web/media/format-media.ts';
import { Field } from '#web/ui/field.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { toPlaceholder, wholeExpression } from '../expressions.ts';
import { fitsField, fixedValue, isExpression, isRequiredField, readReference, type Reference } from '../references.ts';
import { PathField, useProblems } from '../validation.tsx';
import { chipClass, ReferenceMenu } from './reference-menu.tsx';
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
export function StepField(props: StepFieldProps) {
  const { field, value, path, references, onChange } = props;
  const insert = useRef<(reference: Reference) => void>(null);
  const fitting = references.filter((reference) => fitsField(field, reference));
  const isRequired = isRequiredField(field);
  const items = itemsWithExpressions(value);
  const pick = (reference: Reference) => {
    if (insert.current) insert.current(reference);
    else onChange(addReference(field, value, reference, references));
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
          <ReferenceList {...props} items={items} />
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

function ReferenceList({ field, items, path, references, onChange }: StepFieldProps & { items: readonly unknown[] }) {
  const [problem] = useProblems(path);
  const removeAt = (at: number) => {
    const rest = items.toSpliced(at, 1);
    if (rest.length === 0) onChange(isRequiredField(field) ? fixedValue(field) : undefined);
    else onChange(rest.length === 1 && isExpression(rest[0]) ? rest[0] : rest);
  };
  return (
    <Field group label={field.label} hint={field.help} error={problem?.message}>
      <ul aria-label={field.label} className="flex min-h-9 flex-wrap items-center gap-2">
        {items.map((item, at) => (
          // Items have no identity of their own.
          // oxlint-disable-next-line react/no-array-index-key -- see above
          <li key={at} className={`${chipClass} h-8 pr-0.5 pointer-coarse:h-11`}>
            <ItemName item={item} references={references} />
            <IconButton
              size="sm"
              label={`Remove ${field.label.toLowerCase()} ${at + 1}`}
              icon={<X aria-hidden="true" className="size-3.5" />}
              onClick={() => removeAt(at)}
            />
          </li>
        ))}
      </ul>
    </Field>
  );
}

function ItemName({ item, references }: { item: unknown; references: readonly Reference[] }) {
  const [file] = readReferences(item);
  if (file) return <FileName url={file.url} />;
  const label = readReference(item, references)?.label ?? 'Expression';
  return (
    <span className="min-w-0 truncate" title={label === 'Expression' ? String(item) : undefined}>
      {label}
    </span>
  );
}

function FileName({ url }: { url: string }) {
  const info = useReferenceInfo(url);
  return <span className="min-w-0 truncate">{referenceName(url, info, serviceMediaSrc(url) !== null)}</span>;
}
