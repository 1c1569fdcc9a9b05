import { useEffect, useMemo, type ReactNode } from 'react';
import type { ChoiceFieldSpec, FieldSpec, FieldGroup, InputContract, MediaKind } from '#contract/task.ts';
import { mediaKindOf } from './accepted-file-types.ts';
import { FormField } from './form-field.tsx';
import { optionLabel } from './format-field-value.ts';
import { FormContext, type PromptTools } from './form-context.ts';
import type { InputForm } from './input-form.ts';
import { isFilledIn, readReferences } from './form-values.ts';
import { choiceOptions } from './compare-options.ts';
import { preloadValidator } from './validator.ts';
import { maxReferenceCount } from './max-reference-count.ts';
import type { FieldUploads } from './field-uploads.ts';
import { type DropTarget, registerDropTarget } from '#web/uploads/drop-target.ts';
import { cx } from '#web/ui/cx.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';

const GROUPS = {
  main: { title: null, columns: 2 },
  frames: { title: null, columns: 2 },
  shape: { title: null, columns: 2 },
  sound: { title: 'Sound', columns: 1 },
  references: { title: 'References', columns: 2 },
  more: { title: 'More', columns: 1 },
} satisfies Record<FieldGroup, { title: string | null; columns: 1 | 2 }>;

const GROUP_ORDER = Object.keys(GROUPS) as FieldGroup[];

export interface TaskFormProps {
  form: InputForm;
  uploads: FieldUploads;
  signed_in: boolean;
  label: string;
  /** Pass the same object while it holds the same. */
  promptTools?: PromptTools;
  onSubmit: () => void;
  children: ReactNode;
}

export function TaskForm({ form, uploads, signed_in, label, promptTools, onSubmit, children }: TaskFormProps) {
  const context = useMemo(() => ({ form, uploads, signed_in, promptTools }), [form, uploads, signed_in, promptTools]);
  useEffect(
    () => (signed_in ? registerDropTarget(createDropTarget(form, uploads)) : undefined),
    [form, uploads, signed_in],
  );
  return (
    <FormContext value={context}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only preloads the code that checks the input */}
      <form
        aria-label={label}
        noValidate
        onFocus={preloadValidator}
        onPointerEnter={preloadValidator}
        className="flex min-w-0 flex-col gap-6"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {GROUP_ORDER.map((group) => (
          <Group key={group} group={group} form={form} />
        ))}
        {children}
      </form>
    </FormContext>
  );
}

type MediaSpec = Extract<FieldSpec, { media: MediaKind }>;

/** Adds each dropped file to the first field that accepts its type and has room. */
function createDropTarget(form: InputForm, uploads: FieldUploads): DropTarget {
  const assign = (files: readonly Pick<File, 'type' | 'name'>[]): (MediaSpec | null)[] => {
    const added = new Map<string, number>();
    return files.map((file) => {
      const kind = mediaKindOf(file);
      const fits = (field: FieldSpec): field is MediaSpec => {
        if (!('media' in field) || field.media !== kind) return false;
        const count = readReferences(form.values()[field.name]).length + uploads.itemsOfField(field.name).length;
        return count + (added.get(field.name) ?? 0) < maxReferenceCount(form.contract, form.values(), field);
      };
      const field = form.contract.fields.find(fits) ?? null;
      if (field) added.set(field.name, (added.get(field.name) ?? 0) + 1);
      return field;
    });
  };
  return {
    labelsFor: (mime_types) =>
      assign(mime_types.map((type) => ({ type, name: '' }))).map((field) => field?.label ?? null),
    addFiles: (files) => {
      const fields = assign(files);
      files.forEach((file, at) => {
        const field = fields[at];
        if (field) uploads.add(field.name, field.media, [file]);
      });
      return files.filter((_, at) => !fields[at]);
    },
  };
}

const isNarrow = (field: FieldSpec, { rules }: InputContract) =>
  field.kind === 'boolean' ||
  field.group === 'frames' ||
  ('time_of' in field && field.time_of !== undefined) ||
  (field.kind === 'choice' &&
    field.control !== 'ratio' &&
    countLetters(field) <= 20 &&
    !rules.some((rule) => rule.field === field.name));

const countLetters = (field: ChoiceFieldSpec) =>
  choiceOptions(field).reduce<number>(
    (sum, option) => sum + optionLabel(field, option as string | number | null).length,
    0,
  );

function Group({ group, form }: { group: FieldGroup; form: InputForm }) {
  const fields = form.contract.fields.filter((field) => field.group === group);
  if (fields.length === 0) return null;
  const { title, columns } = GROUPS[group];
  const rows = (
    <div className={cx('grid gap-5', columns === 2 && 'sm:grid-cols-2')}>
      {fields.map((field) => (
        <div
          key={field.name}
          className={cx('min-w-0', !(columns === 2 && isNarrow(field, form.contract)) && 'col-span-full')}
        >
          <FormField field={field} />
        </div>
      ))}
    </div>
  );
  if (group !== 'more')
    return title === null || fields.length === 1 ? (
      rows
    ) : (
      <fieldset className="min-w-0">
        <legend className="mb-3 w-full border-t border-line pt-4 text-sm font-semibold">{title}</legend>
        {rows}
      </fieldset>
    );
  const open = fields.some((field) => isFilledIn(field, form.values()[field.name]));
  return (
    <Disclosure summary="More options" open={open} className="border-t border-line pt-3">
      {rows}
    </Disclosure>
  );
}
