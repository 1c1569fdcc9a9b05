import { useEffect, useMemo, type ReactNode } from 'react';
import type { ChoiceFieldSpec, FieldSpec, FieldGroup, InputContract } from '#contract/task.ts';
import { FormField } from './form-field.tsx';
import { optionLabel } from './format-field-value.ts';
import { FormContext, type PromptTools, useFormValue } from './form-context.ts';
import type { InputForm } from './input-form.ts';
import { isFilledIn } from './form-values.ts';
import { choiceOptions } from './compare-options.ts';
import { preloadValidator } from './validator.ts';
import type { FieldUploads } from './field-uploads.ts';
import { cx } from '#web/ui/cx.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const FramePair = lazyComponent(async () => (await import('./fields/frame-pair.tsx')).FramePair);

const GROUPS = {
  frames: { title: null, columns: 2 },
  main: { title: null, columns: 2 },
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
  useEffect(() => {
    if (!signed_in) return undefined;
    let cleanup: (() => void) | undefined;
    let unmounted = false;
    void import('./form-drop-target.ts').then(
      ({ registerFormDrops }) => (cleanup = unmounted ? undefined : registerFormDrops(form, uploads)),
      // Offline, files are dropped on the fields themselves.
      () => undefined,
    );
    return () => {
      unmounted = true;
      cleanup?.();
    };
  }, [form, uploads, signed_in]);
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
  const [start, end, ...others] = fields;
  if (group === 'frames' && start && end && others.length === 0)
    return <FramePair start={start} end={end} fallback={<Skeleton className="h-31" />} />;
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
  const is_filled = fields.some((field) => isFilledIn(field, form.values()[field.name]));
  if (group === 'references' && form.contract.fields.some((field) => field.group === 'frames'))
    return <FoldedReferences fields={fields}>{rows}</FoldedReferences>;
  if (group !== 'more')
    return title === null || fields.length === 1 ? (
      rows
    ) : (
      <fieldset className="min-w-0">
        <legend className="mb-3 w-full border-t border-line pt-4 text-sm font-semibold">{title}</legend>
        {rows}
      </fieldset>
    );
  return (
    <Disclosure summary="More options" open={is_filled} className="border-t border-line pt-3">
      {rows}
    </Disclosure>
  );
}

/** Beside frames, references are the exception. A filled field, or media dragged onto it, opens them. */
function FoldedReferences({ fields, children }: { fields: readonly FieldSpec[]; children: ReactNode }) {
  const open = useFormValue((values) => fields.some((field) => isFilledIn(field, values[field.name])));
  return (
    <Disclosure
      summary="Add references"
      aside={<span className="text-ink-3">Images, videos or sounds</span>}
      open={open}
      onDragEnter={({ currentTarget }) => (currentTarget.open = true)}
      className="border-t border-line pt-3"
    >
      {children}
    </Disclosure>
  );
}
