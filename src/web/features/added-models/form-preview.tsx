import { ExternalLink } from 'lucide-react';
import { useMemo } from 'react';
import type { AddedModel, ModelInspection, ModelSource } from '#contract/resources/added-model.ts';
import type { FieldSpec, InputContract } from '#contract/task.ts';
import { localServiceOrigin } from '#web/api/reference-info.ts';
import { readDraft } from '#web/forms/values/drafts.ts';
import { initialValues } from '#web/forms/values/form-values.ts';
import { createInputForm, type InputForm } from '#web/forms/values/input-form.ts';
import { TaskForm } from '#web/forms/task-form.tsx';
import { useFieldUploads } from '#web/forms/use-field-uploads.ts';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';

/** A form as it was left, with the values that still fit. */
export const useModelForm = ({ id, task }: Pick<AddedModel, 'id' | 'task'>, contract: InputContract): InputForm =>
  useMemo(
    () => createInputForm(contract, readDraft(task, id, contract) ?? initialValues(contract), localServiceOrigin),
    [task, id, contract],
  );

export const TwoCardsSkeleton = ({ label }: { label: string }) => (
  <Loading label={label} className="grid gap-4 lg:grid-cols-2">
    <Skeleton className="h-96 w-full rounded-md" />
    <Skeleton className="h-96 w-full rounded-md" />
  </Loading>
);

export const ProviderPageLink = ({ url }: { url: string | null }) =>
  url === null ? null : (
    <a href={url} target="_blank" rel="noreferrer" className={buttonClass({ size: 'sm' })}>
      <ExternalLink aria-hidden="true" className="size-3.5" />
      Its page
    </a>
  );

interface FormPreviewProps {
  form: InputForm;
  name: string;
  uploadsName: string;
}

/** A form as people see it. */
export function FormPreview({ form, name, uploadsName }: FormPreviewProps) {
  const uploads = useFieldUploads(form, uploadsName);
  if (form.contract.fields.length === 0) return <p className="text-sm text-ink-3">This form has no fields.</p>;
  return (
    <TaskForm form={form} uploads={uploads} signedIn label={`Form of ${name}`} onSubmit={() => undefined}>
      {null}
    </TaskForm>
  );
}

type FormNotes = Pick<ModelInspection, 'contract' | 'notes' | 'advanced'>;

/** What a schema takes and the form does not show as a field. */
export function FormNotes({ contract, notes, advanced }: FormNotes) {
  const labels = new Map(contract.fields.map(({ name, label }) => [name, label]));
  const rows = [
    ...Object.entries(notes).map(([name, text]) => ({ name: labels.get(name) ?? name, text })),
    ...(advanced?.names ?? []).map((name) => ({ name, text: `In Advanced. ${advanced?.reasons[name] ?? ''}` })),
  ];
  if (rows.length === 0) return null;
  const count = advanced?.names.length ?? 0;
  return (
    <Disclosure
      summary={rows.length === 1 ? '1 note about this form' : `${rows.length} notes about this form`}
      aside={count > 0 ? <span className="text-ink-3">{count} in Advanced</span> : undefined}
      open={count > 0}
    >
      <dl className="flex flex-col gap-2 text-sm">
        {rows.map(({ name, text }) => (
          <div key={name}>
            <dt className="font-medium wrap-anywhere">{name}</dt>
            <dd className="text-ink-2">{text}</dd>
          </div>
        ))}
      </dl>
    </Disclosure>
  );
}

type Kind = ModelSource['overrides'] extends Readonly<Record<string, infer K>> | undefined ? K : never;

const KIND_OPTIONS: readonly { value: Kind; label: string }[] = [
  { value: 'text', label: 'Text' },
  { value: 'image', label: 'Image' },
  { value: 'video', label: 'Video' },
  { value: 'audio', label: 'Audio' },
];
const ONE_FILE_OPTIONS: typeof KIND_OPTIONS = [
  ...KIND_OPTIONS,
  { value: 'mask', label: 'Mask: white changes' },
  { value: 'inverted_mask', label: 'Mask: black changes' },
  { value: 'transparent_mask', label: 'Mask: transparent changes' },
];
const MASK_KINDS = { white: 'mask', black: 'inverted_mask', transparent: 'transparent_mask' } as const;

const kindOf = (field: FieldSpec): Kind | null => {
  if (field.kind === 'text') return 'text';
  if (field.kind === 'reference' && field.mask) return MASK_KINDS[field.mask.polarity];
  return field.kind === 'reference' || field.kind === 'references' ? field.media : null;
};

/** Names inside of groups and rows are dotted. */
const withNested = (fields: readonly FieldSpec[]): FieldSpec[] =>
  fields.flatMap((field) => [
    field,
    ...('fields' in field
      ? field.fields.map((each) => ({
          ...each,
          name: `${field.name}.${each.name}`,
          label: `${field.label}: ${each.label}`,
        }))
      : []),
  ]);

interface FieldKindsProps extends Pick<ModelInspection, 'contract'> {
  overrides: ModelSource['overrides'];
  onChange: (overrides: Record<string, Kind>) => void;
}

/** Corrects what text fields take: schemas do not tell a text from the address of a file. */
export function FieldKinds({ contract, overrides, onChange }: FieldKindsProps) {
  const fields = withNested(contract.fields).flatMap((field) => {
    const kind = overrides?.[field.name] ?? kindOf(field);
    return kind === null ? [] : [{ ...field, taken: kind }];
  });
  if (fields.length === 0) return null;
  return (
    <Disclosure summary="Correct what a field takes" open={Object.keys(overrides ?? {}).length > 0}>
      <p className="mb-3 text-sm text-ink-3">
        A schema does not tell a text from the address of a file. Change a field that got it wrong.
      </p>
      <div className="grid gap-3 sm:grid-cols-2">
        {fields.map(({ name, label, kind, taken }) => (
          <Field key={name} label={`${label} takes`}>
            <Select
              value={taken}
              options={kind === 'references' ? KIND_OPTIONS : ONE_FILE_OPTIONS}
              onChange={(kind) => onChange({ ...overrides, [name]: kind })}
            />
          </Field>
        ))}
      </div>
    </Disclosure>
  );
}
