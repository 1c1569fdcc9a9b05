import { useMemo, type ClipboardEvent, type DragEvent, type ReactNode } from 'react';
import type { ChoiceField, Field, FieldGroup, InputContract } from '#contract/task.ts';
import { mediaKindOf } from '#web/forms/accepted-files.ts';
import { FormField } from '#web/forms/field-registry.tsx';
import { optionLabel } from '#web/forms/field-words.ts';
import { FormContext } from '#web/forms/form-context.ts';
import type { FormState } from '#web/forms/form-state.ts';
import { isNotable, referencesOf } from '#web/forms/input-values.ts';
import { optionsOf } from '#web/forms/option-measure.ts';
import { expectJudge } from '#web/forms/judge.ts';
import { mostItems } from '#web/forms/most-items.ts';
import type { UploadTray } from '#web/forms/upload-tray.ts';
import { sendFiles } from '#web/uploads/sendings.ts';
import { cx } from '#web/ui/cx.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';

const GROUPS = {
  main: { title: null, columns: 1 },
  shape: { title: null, columns: 2 },
  sound: { title: 'Sound', columns: 1 },
  references: { title: 'References', columns: 2 },
  more: { title: 'More', columns: 1 },
} satisfies Record<FieldGroup, { title: string | null; columns: 1 | 2 }>;

const order = Object.keys(GROUPS) as FieldGroup[];

export interface TaskFormProps {
  form: FormState;
  tray: UploadTray;
  signed_in: boolean;
  label: string;
  onSubmit: () => void;
  /** After the fields: the button. */
  children: ReactNode;
}

/** The form of a task, drawn from its input contract. */
export function TaskForm({ form, tray, signed_in, label, onSubmit, children }: TaskFormProps) {
  const tools = useMemo(() => ({ form, tray, signed_in }), [form, tray, signed_in]);

  /** Gives files that were dropped or pasted anywhere on the form to the first field that has room for their kind, others to the uploads. */
  const take = (event: ClipboardEvent | DragEvent, data: DataTransfer) => {
    // Copied text may bring a picture of itself along.
    if (data.files.length === 0 || (event.type === 'paste' && data.types.includes('text/plain'))) return;
    event.preventDefault();
    if (!signed_in) return;
    for (const file of data.files) {
      const field = form.contract.fields.find((each) => {
        if (each.kind !== 'reference' && each.kind !== 'references') return false;
        const there = referencesOf(form.values()[each.name]).length + tray.of(each.name).length;
        return each.media === mediaKindOf(file) && there < mostItems(form.contract, form.values(), each);
      });
      if (field && 'media' in field) tray.add(field.name, field.media, [file]);
      else sendFiles([file], null);
    }
  };
  return (
    <FormContext value={tools}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- files may be pasted or dropped anywhere on it; every field has buttons for the same */}
      <form
        aria-label={label}
        noValidate
        data-drop="to the first field that takes them, or else to your uploads"
        onFocus={expectJudge}
        onPointerEnter={expectJudge}
        className="flex min-w-0 flex-col gap-6"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
        onPaste={(event) => take(event, event.clipboardData)}
        onDragOver={(event) => event.dataTransfer.types.includes('Files') && event.preventDefault()}
        onDrop={(event) => take(event, event.dataTransfer)}
      >
        {order.map((group) => (
          <Group key={group} group={group} form={form} />
        ))}
        {children}
      </form>
    </FormContext>
  );
}

/** Small controls may stand side by side; shapes, tracks and lists need the whole width. */
const isNarrow = (field: Field, { rules }: InputContract) =>
  field.kind === 'boolean' ||
  (field.kind === 'choice' &&
    field.control !== 'ratio' &&
    lettersOf(field) <= 20 &&
    !rules.some((rule) => rule.field === field.name));

const lettersOf = (field: ChoiceField) =>
  optionsOf(field).reduce<number>(
    (sum, option) => sum + optionLabel(field, option as string | number | null).length,
    0,
  );

function Group({ group, form }: { group: FieldGroup; form: FormState }) {
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
  const open = fields.some((field) => isNotable(field, form.values()[field.name]));
  return (
    <Disclosure summary="More options" open={open} className="border-t border-line pt-3">
      {rows}
    </Disclosure>
  );
}
