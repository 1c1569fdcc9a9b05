import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_TAG_VALUE_LENGTH } from '#contract/limits.ts';
import { tagValuesQuery } from '#web/api/queries/settings.ts';
import { Combobox } from '#web/ui/controls/combobox.tsx';
import { useDebounced } from '#web/ui/hooks/use-debounced.ts';

const DEBOUNCE_MS = 150;

interface TagValueInputProps {
  /** The tag. */
  name: string;
  value: string;
  onChange: (text: string) => void;
  onCommit?: (text: string) => void;
  /** Offered before the suggestions. */
  first?: readonly string[];
  placeholder?: string;
}

/** Takes any value of a tag and suggests those used before. */
export function TagValueInput({ name, value, first = [], ...rest }: TagValueInputProps) {
  const [wanted, setWanted] = useState(false);
  const q = useDebounced(value.trim(), DEBOUNCE_MS);
  const typed = first.includes(q) ? '' : q;
  const { data = [] } = useQuery({ ...tagValuesQuery(name, typed), enabled: wanted });
  const offered = first.filter((option) => option.toLowerCase().includes(typed.toLowerCase()));
  const options = [...offered, ...data.filter((option) => option !== value.trim() && !first.includes(option))];
  return (
    <Combobox
      {...rest}
      value={value}
      options={options}
      maxLength={MAX_TAG_VALUE_LENGTH}
      onFocus={() => setWanted(true)}
    />
  );
}
