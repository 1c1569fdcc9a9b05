import type { ComponentType } from 'react';
import { Switch } from '#web/ui/checkbox.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { useEditor } from '../editor-context.ts';
import type { EditorInput } from '../editor-state.ts';
import { PathField } from '../path-field.tsx';
import { ChoiceSettings } from './choice-settings.tsx';
import { type InputKind, inputMediaKind, mergeProperty } from './input-kinds.ts';

export interface KindSettingsProps {
  input: EditorInput;
  path: string;
  set: (parts: EditorInput['property'], required?: boolean) => void;
}

const readNumber = (property: EditorInput['property'], name: string) =>
  typeof property[name] === 'number' ? property[name] : null;

const SETTINGS_BY_KIND = {
  text: TextSettings,
  choice: ChoiceSettings,
  number: NumberSettings,
  boolean: BooleanSettings,
  date: () => null,
  file: SingleFileSettings,
  files: FileListSettings,
} satisfies Record<InputKind, ComponentType<KindSettingsProps>>;

export function InputSettings({ kind, input, path }: { kind: InputKind; input: EditorInput; path: string }) {
  const editor = useEditor();
  const Settings: ComponentType<KindSettingsProps> = SETTINGS_BY_KIND[kind];
  const set: KindSettingsProps['set'] = (parts, required) =>
    editor.changeInput(input.id, (now) => ({
      ...now,
      required: required ?? now.required,
      property: mergeProperty(now.property, parts),
    }));
  return <Settings input={input} path={path} set={set} />;
}

interface LimitFieldProps extends KindSettingsProps {
  name: string;
  label: string;
  placeholder?: string;
  onChange?: (value: number | null) => void;
}

function LimitField({ input: { property }, path, set, name, label, placeholder, onChange }: LimitFieldProps) {
  return (
    <PathField label={label} optional path={`${path}.${name}`}>
      <NumberField
        value={readNumber(property, name)}
        placeholder={placeholder}
        onChange={onChange ?? ((value) => set({ [name]: value ?? undefined }))}
      />
    </PathField>
  );
}

function TextSettings(props: KindSettingsProps) {
  const { property } = props.input;
  const [example] = Array.isArray(property['examples']) ? property['examples'] : [];
  return (
    <>
      <LimitField {...props} name="maxLength" label="Maximum length" placeholder="5,000" />
      <PathField label="Placeholder" optional path={`${props.path}.examples`}>
        <TextInput
          value={typeof example === 'string' ? example : ''}
          onChange={(event) => props.set({ examples: event.target.value ? [event.target.value] : undefined })}
        />
      </PathField>
      <Switch
        label="Optional"
        checked={Array.isArray(property['type'])}
        onChange={(on) => props.set({ type: on ? ['string', 'null'] : 'string' }, !on)}
      />
      <Switch
        label="Multiple lines"
        checked={property['x-multiline'] === true}
        onChange={(on) => props.set({ 'x-multiline': on || undefined })}
      />
    </>
  );
}

function NumberSettings(props: KindSettingsProps) {
  const { set, path, input } = props;
  const { property } = input;
  const nullable = Array.isArray(property['type']);
  const isInteger = [property['type']].flat()[0] === 'integer';
  const typeOf = (integer: boolean) => {
    const type = integer ? 'integer' : 'number';
    return nullable ? [type, 'null'] : type;
  };
  return (
    <>
      <LimitField {...props} name="minimum" label="Minimum" placeholder="0" />
      <LimitField {...props} name="maximum" label="Maximum" placeholder="No limit" />
      <LimitField
        {...props}
        name="default"
        label="Default"
        placeholder="None (required)"
        onChange={(value) => set({ default: value ?? undefined }, value === null && !nullable)}
      />
      <PathField label="Unit" optional path={`${path}.x-unit`}>
        <TextInput
          placeholder="s"
          value={typeof property['x-unit'] === 'string' ? property['x-unit'] : ''}
          onChange={(event) => set({ 'x-unit': event.target.value || undefined })}
        />
      </PathField>
      <Switch label="Whole numbers only" checked={isInteger} onChange={(on) => set({ type: typeOf(on) })} />
    </>
  );
}

function BooleanSettings({ input: { property }, set }: KindSettingsProps) {
  return (
    <Switch label="On by default" checked={property['default'] === true} onChange={(on) => set({ default: on })} />
  );
}

const MEDIA_OPTIONS = [
  { value: 'image', label: 'Image' },
  { value: 'video', label: 'Video' },
  { value: 'audio', label: 'Sound' },
] as const;

function SingleFileSettings({ input: { property, required }, path, set }: KindSettingsProps) {
  return (
    <>
      <PathField label="File type" path={`${path}.x-media`}>
        <Select
          value={inputMediaKind(property) ?? ''}
          placeholder="Choose"
          options={MEDIA_OPTIONS}
          onChange={(kind) => set({ 'x-media': kind })}
        />
      </PathField>
      <Switch label="Required" checked={required} onChange={(on) => set({}, on)} className="self-end pb-2" />
    </>
  );
}

function FileListSettings(props: KindSettingsProps) {
  const { input, path, set } = props;
  const { property, required } = input;
  return (
    <>
      <PathField label="File type" path={`${path}.items`}>
        <Select
          value={inputMediaKind(property) ?? ''}
          placeholder="Choose"
          options={MEDIA_OPTIONS}
          onChange={(kind) => set({ items: { type: 'object', 'x-media': kind } })}
        />
      </PathField>
      <Switch
        label="Required"
        checked={required}
        onChange={(on) => set(on ? {} : { minItems: undefined }, on)}
        className="self-end pb-2"
      />
      <LimitField
        {...props}
        name="minItems"
        label="Minimum"
        placeholder={required ? '1' : '0'}
        onChange={(value) => set({ minItems: value ?? undefined }, value !== null && value > 0 ? true : required)}
      />
      <LimitField {...props} name="maxItems" label="Maximum" placeholder="50" />
    </>
  );
}
