import type { ComponentType } from 'react';
import { Switch } from '#web/ui/checkbox.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { useEditor } from '../editor-context.ts';
import type { EditorInput } from '../editor-state.ts';
import { PathField } from '../path-field.tsx';
import { ChoiceSettings } from './choice-settings.tsx';
import { type InputKind, mediaOf, withParts } from './input-kinds.ts';

export interface SettingsProps {
  input: EditorInput;
  /** Of the property. */
  path: string;
  set: (parts: EditorInput['property'], required?: boolean) => void;
}

const numberIn = (property: EditorInput['property'], name: string) =>
  typeof property[name] === 'number' ? property[name] : null;

const SETTINGS = {
  text: TextSettings,
  choice: ChoiceSettings,
  number: NumberSettings,
  boolean: BooleanSettings,
  date: () => null,
  medium: MediumSettings,
  media: MediaSettings,
} satisfies Record<InputKind, ComponentType<SettingsProps>>;

/** Limits, default and what else there is to say of an input, by its kind. */
export function InputSettings({ kind, input, path }: { kind: InputKind; input: EditorInput; path: string }) {
  const editor = useEditor();
  const Settings: ComponentType<SettingsProps> = SETTINGS[kind];
  const set: SettingsProps['set'] = (parts, required) =>
    editor.changeInput(input.id, (now) => ({
      ...now,
      required: required ?? now.required,
      property: withParts(now.property, parts),
    }));
  return <Settings input={input} path={path} set={set} />;
}

interface LimitProps extends SettingsProps {
  name: string;
  label: string;
  placeholder?: string;
  onChange?: (value: number | null) => void;
}

function Limit({ input: { property }, path, set, name, label, placeholder, onChange }: LimitProps) {
  return (
    <PathField label={label} optional path={`${path}.${name}`}>
      <NumberField
        value={numberIn(property, name)}
        placeholder={placeholder}
        onChange={onChange ?? ((value) => set({ [name]: value ?? undefined }))}
      />
    </PathField>
  );
}

function TextSettings(props: SettingsProps) {
  const { property } = props.input;
  const [example] = Array.isArray(property['examples']) ? property['examples'] : [];
  return (
    <>
      <Limit {...props} name="maxLength" label="Most characters" placeholder="5,000" />
      <PathField label="Shown while it is empty" optional path={`${props.path}.examples`}>
        <TextInput
          value={typeof example === 'string' ? example : ''}
          onChange={(event) => props.set({ examples: event.target.value ? [event.target.value] : undefined })}
        />
      </PathField>
      <Switch
        label="Several lines"
        checked={property['x-multiline'] === true}
        onChange={(on) => props.set({ 'x-multiline': on || undefined })}
      />
    </>
  );
}

function NumberSettings(props: SettingsProps) {
  const { set, path, input } = props;
  const { property } = input;
  const nullable = Array.isArray(property['type']);
  const whole = [property['type']].flat()[0] === 'integer';
  const typeOf = (integer: boolean) => {
    const type = integer ? 'integer' : 'number';
    return nullable ? [type, 'null'] : type;
  };
  return (
    <>
      <Limit {...props} name="minimum" label="Least" placeholder="0" />
      <Limit {...props} name="maximum" label="Most" placeholder="No limit" />
      <Limit
        {...props}
        name="default"
        label="Begins with"
        placeholder="Nothing: it must be typed"

        onChange={(value) => set({ default: value ?? undefined }, value === null && !nullable)}
      />
      <PathField label="Unit" optional path={`${path}.x-unit`}>
        <TextInput
          placeholder="s"
          value={typeof property['x-unit'] === 'string' ? property['x-unit'] : ''}
          onChange={(event) => set({ 'x-unit': event.target.value || undefined })}
        />
      </PathField>
      <Switch label="Whole numbers only" checked={whole} onChange={(on) => set({ type: typeOf(on) })} />
    </>
  );
}

function BooleanSettings({ input: { property }, set }: SettingsProps) {
  return (
    <Switch
      label="On at the beginning"
      checked={property['default'] === true}
      onChange={(on) => set({ default: on })}
    />
  );
}

const MEDIA = [
  { value: 'image', label: 'Picture' },
  { value: 'video', label: 'Video' },
  { value: 'audio', label: 'Sound' },
] as const;

function MediumSettings({ input: { property, required }, path, set }: SettingsProps) {
  return (
    <>
      <PathField label="Kind of file" path={`${path}.x-media`}>
        <Select
          value={mediaOf(property) ?? ''}
          placeholder="Choose"
          options={MEDIA}
          onChange={(kind) => set({ 'x-media': kind })}
        />
      </PathField>
      <Switch label="Has to be there" checked={required} onChange={(on) => set({}, on)} className="self-end pb-2" />
    </>
  );
}

function MediaSettings(props: SettingsProps) {
  const { input, path, set } = props;
  const { property, required } = input;
  return (
    <>
      <PathField label="Kind of files" path={`${path}.items`}>
        <Select
          value={mediaOf(property) ?? ''}
          placeholder="Choose"
          options={MEDIA}
          onChange={(kind) => set({ items: { type: 'object', 'x-media': kind } })}
        />
      </PathField>
      <Switch
        label="Has to be there"
        checked={required}
        onChange={(on) => set(on ? {} : { minItems: undefined }, on)}
        className="self-end pb-2"
      />
      <Limit
        {...props}
        name="minItems"
        label="Least"
        placeholder={required ? '1' : '0'}
        onChange={(value) => set({ minItems: value ?? undefined }, value !== null && value > 0 ? true : required)}
      />
      <Limit {...props} name="maxItems" label="Most" placeholder="50" />
    </>
  );
}
