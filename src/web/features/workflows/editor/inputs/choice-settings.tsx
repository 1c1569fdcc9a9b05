import { useState } from 'react';
import { Select } from '#web/ui/select.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { PathField } from '../path-field.tsx';
import { parseChoiceOptions, formatChoiceOptions } from './choice-options.ts';
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
