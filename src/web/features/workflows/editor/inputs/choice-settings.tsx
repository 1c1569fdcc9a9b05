import { useState } from 'react';
import { Select } from '#web/ui/select.tsx';
import { TextArea } from '#web/ui/text-input.tsx';
import { PathField } from '../path-field.tsx';
import type { KindSettingsProps } from './input-settings.tsx';

const NO_DEFAULT = '\n';

export function ChoiceSettings({ input: { property }, path, set }: KindSettingsProps) {
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

type Property = Readonly<Record<string, unknown>>;

const isOption = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';
const readEnum = (property: Property) => (Array.isArray(property['enum']) ? property['enum'].filter(isOption) : []);
const readLabels = ({ 'x-labels': labels }: Property): Property =>
  typeof labels === 'object' && labels !== null ? { ...labels } : {};

/** Formats options for editing: one per line, with an optional label after " = ". */
export function formatChoiceOptions(property: Property): string {
  const labels = readLabels(property);
  return readEnum(property)
    .map((option) => {
      const label = labels[String(option)];
      return typeof label === 'string' ? `${option} = ${label}` : String(option);
    })
    .join('\n');
}

/** Parses the text back. Options stay numbers as long as all of them are. */
export function parseChoiceOptions(text: string, property: Property) {
  const lines = text.split('\n').flatMap((line) => {
    const [option = '', ...label] = line.split(' = ');
    return option.trim() === '' ? [] : [{ option: option.trim(), label: label.join(' = ').trim() }];
  });
  const before = readEnum(property);
  const numbers =
    before.length > 0 &&
    before.every((option) => typeof option === 'number') &&
    lines.every(({ option }) => Number.isFinite(Number(option)));
  const labels = lines.filter(({ label }) => label !== '').map(({ option, label }) => [option, label]);
  return {
    type: numbers ? ('number' as const) : undefined,
    enum: [...new Set(lines.map(({ option }) => (numbers ? Number(option) : option)))],
    'x-labels': labels.length > 0 ? (Object.fromEntries(labels) as Record<string, string>) : undefined,
  };
}
