import { useState } from 'react';
import { Switch } from '#web/ui/controls/checkbox.tsx';
import { NumberField } from '#web/ui/controls/number-field.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { TextArea, TextInput } from '#web/ui/controls/text-input.tsx';
import type { StarterInput } from '../starter-values.ts';
import { PathField } from '../validation.tsx';
import { formatChoiceOptions, parseChoiceOptions } from './choice-options.ts';
import { type InputKind, inputMediaKind } from './input-kinds.ts';

interface SettingsProps {
  input: StarterInput;
  path: string;
  /** Undefined members are removed. */
  set: (parts: StarterInput['property'], required?: boolean) => void;
}

const baseType = ({ type }: Record<string, unknown>) => [type].flat()[0];

/** Returns the controls for the limits, the default and the look of an input, by its kind. */
export function InputSettings({ kind, ...props }: SettingsProps & { kind: InputKind }) {
  const { input, path, set } = props;
  const { property, required } = input;
  const isNullable = Array.isArray(property['type']);
  const limit = (
    name: string,
    label: string,
    placeholder: string,
    isRequiredBy?: (value: number | null) => boolean,
  ) => (
    <PathField key={name} label={label} optional path={`${path}.${name}`}>
      <NumberField
        value={typeof property[name] === 'number' ? property[name] : null}
        placeholder={placeholder}
        onChange={(value) => set({ [name]: value ?? undefined }, isRequiredBy?.(value))}
      />
    </PathField>
  );
  const text = (name: string, label: string, placeholder: string, value: unknown, next: (text: string) => unknown) => (
    <PathField key={name} label={label} optional path={`${path}.${name}`}>
      <TextInput
        placeholder={placeholder}
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => set({ [name]: event.target.value === '' ? undefined : next(event.target.value) })}
      />
    </PathField>
  );
  const media = (name: string, toParts: (kind: string) => StarterInput['property']) => (
    <PathField label="File type" path={`${path}.${name}`}>
      <Select
        value={inputMediaKind(property) ?? ''}
        placeholder="Choose"
        options={MEDIA_OPTIONS}
        onChange={(next) => set(toParts(next))}
      />
    </PathField>
  );
  const requiredSwitch = (whenOff: StarterInput['property']) => (
    <Switch
      label="Required"
      checked={required}
      onChange={(on) => set(on ? {} : whenOff, on)}
      className="self-end pb-2"
    />
  );
  const examples = Array.isArray(property['examples']) ? property['examples'] : [];
  switch (kind) {
    case 'text':
      return (
        <>
          {limit('maxLength', 'Maximum length', '5,000')}
          {text('examples', 'Placeholder', '', examples[0], (value) => [value])}
          <Switch
            label="Optional"
            checked={isNullable}
            onChange={(on) => set({ type: on ? ['string', 'null'] : 'string' }, !on)}
          />
          <Switch
            label="Multiple lines"
            checked={property['x-multiline'] === true}
            onChange={(on) => set({ 'x-multiline': on || undefined })}
          />
        </>
      );
    case 'choice':
      return <ChoiceSettings {...props} />;
    case 'number':
      return (
        <>
          {limit('minimum', 'Minimum', '0')}
          {limit('maximum', 'Maximum', 'No limit')}
          {limit('default', 'Default', 'None (required)', (value) => value === null && !isNullable)}
          {text('x-unit', 'Unit', 's', property['x-unit'], (value) => value)}
          <Switch
            label="Whole numbers only"
            checked={baseType(property) === 'integer'}
            onChange={(on) => {
              const type = on ? 'integer' : 'number';
              set({ type: isNullable ? [type, 'null'] : type });
            }}
          />
        </>
      );
    case 'boolean':
      return (
        <Switch label="On by default" checked={property['default'] === true} onChange={(on) => set({ default: on })} />
      );
    case 'date':
      return null;
    case 'file':
      return (
        <>
          {media('x-media', (next) => ({ 'x-media': next }))}
          {requiredSwitch({})}
        </>
      );
    case 'files':
      return (
        <>
          {media('items', (next) => ({ items: { type: 'object', 'x-media': next } }))}
          {requiredSwitch({ minItems: undefined })}
          {limit('minItems', 'Minimum', required ? '1' : '0', (value) => (value ?? 0) > 0 || required)}
          {limit('maxItems', 'Maximum', '50')}
        </>
      );
  }
}

const MEDIA_OPTIONS = [
  { value: 'image', label: 'Image' },
  { value: 'video', label: 'Video' },
  { value: 'audio', label: 'Sound' },
] as const;

const NO_DEFAULT = '\n';

function ChoiceSettings({ input: { property }, path, set }: SettingsProps) {
  const formatted = formatChoiceOptions(property);
  const [draft, setDraft] = useState(formatted);
  // Blank lines are not options, but must not vanish while typing.
  const shown =
    formatChoiceOptions({ ...property, ...parseChoiceOptions(draft, property) }) === formatted ? draft : formatted;
  const { enum: options } = parseChoiceOptions(shown, property);
  const preset = property['default'];
  const change = (text: string) => {
    setDraft(text);
    const parsed = parseChoiceOptions(text, property);
    const isPresetRemoved = preset !== undefined && !parsed.enum.some((option) => option === preset);
    set(
      { ...parsed, ...(isPresetRemoved ? { default: parsed.enum[0] } : {}) },
      preset === undefined || parsed.enum.length === 0,
    );
  };
  return (
    <>
      <PathField
        label="Options"
        hint="One per line. Add a label after “=”, such as “16:9 = Wide”."
        path={`${path}.enum`}
        className="sm:col-span-2"
      >
        <TextArea rows={3} value={shown} onChange={(event) => change(event.target.value)} />
      </PathField>
      <PathField label="Default" path={`${path}.default`}>
        <Select
          value={preset === undefined ? NO_DEFAULT : String(preset)}
          options={[
            { value: NO_DEFAULT, label: 'None (required)' },
            ...options.map((option) => ({ value: String(option), label: String(option) })),
          ]}
          onChange={(value) => {
            const option = options.find((each) => String(each) === value);
            set({ default: option }, option === undefined);
          }}
        />
      </PathField>
    </>
  );
}
