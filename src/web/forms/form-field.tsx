import { type ComponentType, useRef } from 'react';
import type {
  BooleanFieldSpec,
  DateTimeFieldSpec,
  FieldSpec,
  NumberFieldSpec,
  ReferenceFieldSpec,
  TextFieldSpec,
} from '#contract/task.ts';
import { formatDateTimeLocal, parseDateTimeLocal } from './values/datetime-local.ts';
import { ClipLengthNotice } from './fields/clip-length-notice.tsx';
import { ChoiceInput } from './fields/choice-input.tsx';
import { JsonInput } from './fields/json-input.tsx';
import { MediaField } from './fields/media-field.tsx';
import { OptionalSwitch } from './fields/optional-switch.tsx';
import { RuleNotice } from './fields/rule-notice.tsx';
import { SizeInput } from './fields/size-input.tsx';
import { useField, useLockingRule, useTaskForm } from './form-context.ts';
import { Switch } from '#web/ui/controls/checkbox.tsx';
import { ErrorText, Field } from '#web/ui/controls/field.tsx';
import { TextInput, TextArea } from '#web/ui/controls/text-input.tsx';
import { readReferences } from './values/form-values.ts';
import { serviceMediaSrc } from '#web/api/reference-info.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { countCodePoints } from './values/count-code-points.ts';
import { cx } from '#web/ui/cx.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { X } from 'lucide-react';
import { formatFieldValue } from './values/format-field-value.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { NumberField } from '#web/ui/controls/number-field.tsx';
import { Slider } from '#web/ui/controls/slider.tsx';

function TextInputField({ field }: { field: TextFieldSpec }) {
  const { value, error, onChange, onBlur } = useField(field.name);
  const { promptTools } = useTaskForm();
  const box = useRef<HTMLTextAreaElement>(null);
  const text = typeof value === 'string' ? value : '';
  const inputProps = {
    name: field.name,
    value: text,
    placeholder: field.placeholder,
    // An empty field is no mistake until the form is sent: a click elsewhere leaves the prompt that had the focus.
    onBlur: () => text !== '' && onBlur(),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <Field
      label={field.label}
      hint={field.help}
      error={error?.message}
      {...(field.required ? { required: true } : { optional: true })}
      aside={<CharacterCount text={text} max={field.max_length} />}
    >
      {field.multiline ? <TextArea ref={box} rows={4} maxRows={16} {...inputProps} /> : <TextInput {...inputProps} />}
      {field.multiline && field.required && promptTools ? (
        <promptTools.Component field={field.name} box={box} target={promptTools.target} />
      ) : null}
    </Field>
  );
}

function CharacterCount({ text, max }: { text: string; max: number | null }) {
  if (max === null && text === '') return null;
  const length = countCodePoints(text);
  if (max === null) return formatNumber(length);
  return (
    <span className={cx(length > max && 'font-medium text-bad')}>
      {formatNumber(length)} / {formatNumber(max)}
    </span>
  );
}

const compound = () => import('./fields/compound-inputs.tsx');
const GroupInput = lazyComponent(async () => (await compound()).GroupInput);
const RowsInput = lazyComponent(async () => (await compound()).RowsInput);
const ListInput = lazyComponent(async () => (await compound()).ListInput);
// Few models need the combobox of these, which is large.
const OwnChoiceInput = lazyComponent(async () => (await import('./fields/own-choice-input.tsx')).OwnChoiceInput);
const SearchChoiceInput = lazyComponent(
  async () => (await import('./fields/search-choice-input.tsx')).SearchChoiceInput,
);
/** More are searched instead of listed. */
const MAX_LISTED_OPTIONS = 100;

type Registry = { [K in FieldSpec['kind']]: ComponentType<{ field: Extract<FieldSpec, { kind: K }> }> };

const fieldRegistry = {
  text: TextInputField,
  choice: ({ field }) => {
    if (field.own_max_length !== undefined) return <OwnChoiceInput field={field} />;
    return field.options.length > MAX_LISTED_OPTIONS ? (
      <SearchChoiceInput field={field} />
    ) : (
      <ChoiceInput field={field} />
    );
  },
  number: NumberInput,
  integer: NumberInput,
  boolean: BooleanInput,
  datetime: DateTimeInput,
  size: SizeInput,
  group: GroupInput,
  rows: RowsInput,
  list: ListInput,
  json: JsonInput,
  reference: ({ field }) => (
    <>
      <MediaField field={field} />
      <ClipTimes field={field} />
    </>
  ),
  references: MediaField,
} satisfies Registry;

export function FormField<F extends FieldSpec>({ field }: { field: F }) {
  // The table is exhaustive by type; the compiler cannot connect a key to its entry inside a generic function.
  const Input = fieldRegistry[field.kind] as ComponentType<{ field: F }>;
  return (
    <div data-field={field.name} className="flex min-w-0 scroll-my-4 flex-col gap-3">
      <Input field={field} />
    </div>
  );
}

function BooleanInput({ field }: { field: BooleanFieldSpec }) {
  const { value, error, onChange } = useField(field.name);
  const lock = useLockingRule(field);
  if (field.nullable || field.required) return <OptionalSwitch field={field} />;
  return (
    <div className="flex flex-col gap-1.5">
      <Switch
        checked={value === true}
        disabled={lock !== undefined}
        onChange={onChange}
        label={field.label}
        hint={lock?.message ?? field.help}
        name={field.name}
      />
      <ErrorText>{error?.message}</ErrorText>
      <RuleNotice field={field} />
    </div>
  );
}

function DateTimeInput({ field }: { field: DateTimeFieldSpec }) {
  const { value, error, onChange, onBlur } = useField(field.name);
  const lock = useLockingRule(field);
  return (
    <Field label={field.label} hint={lock?.message ?? field.help} error={error?.message} optional>
      <TextInput
        type="datetime-local"
        name={field.name}
        disabled={lock !== undefined}
        className="max-w-56"
        value={typeof value === 'string' ? formatDateTimeLocal(value) : ''}
        // React reports no change while the date is incomplete: then the form refuses it.
        onInput={({ currentTarget }) =>
          onChange(currentTarget.validity.badInput ? 'incomplete' : parseDateTimeLocal(currentTarget.value))
        }
        onChange={() => undefined}
        onBlur={onBlur}
      />
      <RuleNotice field={field} />
    </Field>
  );
}

const ClipPlayer = lazyComponent(async () => (await import('./fields/clip-player.tsx')).ClipPlayer);

function ClipTimes({ field }: { field: ReferenceFieldSpec }) {
  const { form } = useTaskForm();
  const { value } = useField(field.name);
  const times = form.contract.fields.filter(
    (each): each is NumberFieldSpec =>
      (each.kind === 'number' || each.kind === 'integer') && each.time_of === field.name,
  );
  const url = readReferences(value)[0]?.url;
  if (url === undefined || (times.length === 0 && (field.media !== 'video' || field.group !== 'main'))) return null;
  if (serviceMediaSrc(url) !== null)
    return (
      <>
        <ClipLengthNotice field={field} url={url} />
        <ClipPlayer
          key={url}
          url={url}
          times={times}
          fallback={<Skeleton className="aspect-video w-full rounded-md" />}
        />
      </>
    );
  if (times.length === 0) return null;
  return <p className="text-sm text-ink-3">Videos from a URL have no preview. Enter the times below.</p>;
}

const MAX_SLIDER_STEPS = 600;

function NumberInput({ field }: { field: NumberFieldSpec }) {
  const { value, error, onChange, onBlur } = useField(field.name);
  const lock = useLockingRule(field);
  const disabled = lock !== undefined;
  const number = typeof value === 'number' ? value : null;
  const step = field.step ?? field.multiple_of ?? 1;
  const { min, max } = field;
  const range = min === null || max === null ? null : { min, max };
  const hasSlider = range !== null && (range.max - range.min) / step <= MAX_SLIDER_STEPS;
  return (
    <Field
      label={field.label}
      hint={lock?.message ?? field.help}
      error={error?.message}
      required={field.required === true}
      optional={field.nullable === true}
    >
      <span className="flex items-center gap-3">
        {hasSlider ? (
          <Slider
            label={`${field.label} slider`}
            valueText={formatFieldValue(field, number)}
            value={number}
            min={field.exclusive_min ? range.min + step : range.min}
            max={field.exclusive_max ? range.max - step : range.max}
            step={step}
            disabled={disabled}
            onChange={onChange}
            onBlur={onBlur}
          />
        ) : null}
        <NumberField
          name={field.name}
          value={number}
          onChange={onChange}
          onBlur={onBlur}
          step={step}
          disabled={disabled}
          {...(min === null ? {} : { min })}
          {...(max === null ? {} : { max })}
          {...(field.unit ? { unit: field.unit } : {})}
          placeholder={field.empty_label}
          className={hasSlider ? 'w-38! flex-none pointer-coarse:w-44!' : 'max-w-56'}
        />
        {field.nullable && number !== null ? (
          <IconButton
            label={`${field.label}: ${field.empty_label ?? 'empty'}`}
            icon={<X aria-hidden="true" className="size-4" />}
            onClick={() => onChange(null)}
          />
        ) : null}
      </span>
      <RuleNotice field={field} />
    </Field>
  );
}
