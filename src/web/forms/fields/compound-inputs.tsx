import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { GroupFieldSpec, ListFieldSpec, RowsFieldSpec, NestedFieldSpec } from '#contract/task.ts';
import { cx } from '#web/ui/cx.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { ErrorText, Field } from '#web/ui/controls/field.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { listError } from '#web/forms/values/field-errors.ts';
import { nestedName } from '#web/forms/values/field-path.ts';
import { useField } from '../form-context.ts';
import { FormField } from '../form-field.tsx';
import { blankRow, initialValue, readList } from '#web/forms/values/form-values.ts';
import { optionLabel } from '#web/forms/values/format-field-value.ts';

const WIDE_KINDS: ReadonlySet<NestedFieldSpec['kind']> = new Set(['text', 'reference', 'references']);

/** The fields of an object, with their names in the form. */
function NestedFields({ fields, at }: { fields: readonly NestedFieldSpec[]; at: string }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {fields.map((field) => (
        <div key={field.name} className={cx('min-w-0', WIDE_KINDS.has(field.kind) && 'sm:col-span-2')}>
          <FormField field={{ ...field, name: nestedName(at, field.name) }} />
        </div>
      ))}
    </div>
  );
}

interface SectionProps {
  legend: ReactNode;
  aside?: ReactNode;
  help?: string | undefined;
  error?: string | undefined;
  children: ReactNode;
}

const Section = ({ legend, aside, help, error, children }: SectionProps) => (
  <fieldset className="min-w-0">
    <legend className="mb-2 flex w-full items-center gap-3 text-sm font-medium">
      <span className="min-w-0 flex-1">{legend}</span>
      {aside}
    </legend>
    {help ? <p className="mb-2 text-sm text-ink-3">{help}</p> : null}
    <div className="flex flex-col gap-3">{children}</div>
    <ErrorText>{error}</ErrorText>
  </fieldset>
);

const Optional = () => <span className="font-normal text-ink-3">Optional</span>;

/** An object of fields. An optional one is there once it is added. */
export function GroupInput({ field }: { field: GroupFieldSpec }) {
  const { value, error, onChange } = useField(field.name);
  const isSet = value !== null && value !== undefined;
  const toggle = field.required ? null : (
    <Button size="sm" onClick={() => onChange(isSet ? null : blankRow(field.fields))}>
      {isSet ? 'Remove' : 'Add'}
      <span className="sr-only"> {field.label}</span>
    </Button>
  );
  return (
    <Section
      legend={
        <>
          <bdi>{field.label}</bdi> {field.required ? null : <Optional />}
        </>
      }
      aside={toggle}
      help={field.help}
      error={isSet ? listError(error) : error?.message}
    >
      {isSet ? <NestedFields fields={field.fields} at={field.name} /> : null}
    </Section>
  );
}

interface ItemsProps {
  field: RowsFieldSpec | ListFieldSpec;
  newItem: () => unknown;
  renderItem: (at: number) => ReactNode;
}

/** Items that are added at the end and removed anywhere. */
function Items({ field, newItem, renderItem }: ItemsProps) {
  const { value, error, onChange, onBlur } = useField(field.name);
  const items = readList(value);
  const remove = (at: number) => {
    onChange(items.toSpliced(at, 1));
    onBlur();
  };
  return (
    <Section
      legend={
        <>
          <bdi>{field.label}</bdi> {field.required ? null : <Optional />}
        </>
      }
      aside={
        <span className="text-ink-3 tabular-nums">
          {items.length > 0 ? `${items.length} of ${field.max_items}` : `Up to ${field.max_items}`}
        </span>
      }
      help={field.help}
      error={items.length === 0 ? error?.message : listError(error)}
    >
      {items.map((_, at) => (
        // Items have no identity besides their place.
        <div key={at} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">{renderItem(at)}</div>
          <IconButton
            size="sm"
            label={`Remove ${field.label} ${at + 1}`}
            icon={<X aria-hidden="true" className="size-4" />}
            onClick={() => remove(at)}
          />
        </div>
      ))}
      {items.length < field.max_items ? (
        <div>
          <Button
            size="sm"
            icon={<Plus aria-hidden="true" className="size-4" />}
            onClick={() => onChange([...items, newItem()])}
          >
            Add<span className="sr-only"> to {field.label}</span>
          </Button>
        </div>
      ) : null}
    </Section>
  );
}

/** A list of objects of fields. */
export const RowsInput = ({ field }: { field: RowsFieldSpec }) => (
  <Items
    field={field}
    newItem={() => blankRow(field.fields)}
    renderItem={(at) => (
      <fieldset className="rounded-md border border-line p-3">
        <legend className="sr-only">
          <bdi>{field.label}</bdi> {at + 1}
        </legend>
        <NestedFields fields={field.fields} at={nestedName(field.name, at)} />
      </fieldset>
    )}
  />
);

/** A list of texts or numbers, or several of the options. */
export function ListInput({ field }: { field: ListFieldSpec }) {
  const { item } = field;
  if (item.kind === 'choice') return <OptionsInput field={{ ...field, item }} />;
  return (
    <Items
      field={field}
      newItem={() => initialValue(item)}
      renderItem={(at) => (
        <FormField field={{ ...item, name: nestedName(field.name, at), label: `${item.label} ${at + 1}` }} />
      )}
    />
  );
}

function OptionsInput({
  field,
}: {
  field: ListFieldSpec & { item: Extract<ListFieldSpec['item'], { kind: 'choice' }> };
}) {
  const { value, error, onChange, onBlur } = useField(field.name);
  const chosen = readList(value);
  const toggle = (option: string | number, on: boolean) => {
    // In the order of the options, however they were chosen.
    onChange(field.item.options.filter((each) => (each === option ? on : chosen.includes(each))));
    onBlur();
  };
  return (
    <Field
      label={field.label}
      hint={field.help}
      error={error?.message}
      group
      {...(field.required ? { required: true } : { optional: true })}
      aside={`${chosen.length} of ${Math.min(field.max_items, field.item.options.length)}`}
    >
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {field.item.options.map((option) => (
          <Checkbox
            key={option}
            label={optionLabel(field.item, option)}
            checked={chosen.includes(option)}
            disabled={!chosen.includes(option) && chosen.length >= field.max_items}
            onChange={(on) => toggle(option, on)}
          />
        ))}
      </div>
    </Field>
  );
}
