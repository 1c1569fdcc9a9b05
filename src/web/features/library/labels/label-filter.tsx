import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_LABEL_LENGTH } from '#contract/label-limits.ts';
import { labelsQuery } from '#web/api/queries/media.ts';
import { Combobox } from '#web/ui/combobox.tsx';
import { Field } from '#web/ui/field.tsx';

interface LabelFilterProps {
  label: string | undefined;
  onChange: (label: string | undefined) => void;
}

/** Shows only media with a label. */
export function LabelFilter({ label = '', onChange }: LabelFilterProps) {
  const [text, setText] = useState(label);
  const { data: options = [] } = useQuery(labelsQuery(text.trim()));
  return (
    <Field label="Label">
      <Combobox
        value={text}
        options={options}
        maxLength={MAX_LABEL_LENGTH}
        placeholder="Any"
        onChange={setText}
        onCommit={(next) => {
          if (next.trim() !== label) onChange(next.trim() || undefined);
        }}
      />
    </Field>
  );
}
