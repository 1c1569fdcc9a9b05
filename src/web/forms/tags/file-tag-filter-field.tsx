import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_LABEL_LENGTH } from '#contract/limits.ts';
import { labelsQuery } from '#web/api/queries/media.ts';
import { Combobox } from '#web/ui/controls/combobox.tsx';
import { Field } from '#web/ui/controls/field.tsx';

interface FileTagFilterFieldProps {
  label: string | undefined;
  onChange: (label: string | undefined) => void;
}

/** Filters by a tag that people put on files: its `label` in the interface. */
export function FileTagFilterField({ label = '', onChange }: FileTagFilterFieldProps) {
  const [text, setText] = useState(label);
  const { data: options = [] } = useQuery(labelsQuery(text.trim()));
  return (
    <Field label="Tag of the file">
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
