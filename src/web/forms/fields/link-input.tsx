import { useEffect, useRef, useState } from 'react';
import { referenceUrlProblem } from '#contract/reference-url.ts';
import { localOrigin } from '#web/forms/media-info.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

/** Takes the address of a file somewhere else. */
export function LinkInput({
  label,
  onAdd,
  onClose,
}: {
  label: string;
  onAdd: (url: string) => void;
  onClose: () => void;
}) {
  const [url, setUrl] = useState('');
  const [problem, setProblem] = useState<string>();
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    box.current?.focus();
  }, []);
  const add = () => {
    const found = referenceUrlProblem(url.trim(), localOrigin());
    if (found) setProblem(found);
    else onAdd(url.trim());
  };
  return (
    <Field label={label} error={problem} hint="It must begin with https:// and be open to everybody.">
      <span className="flex gap-2">
        <TextInput
          type="url"
          inputMode="url"
          ref={box}
          placeholder="https://"
          value={url}
          onChange={(event) => {
            setUrl(event.target.value);
            setProblem(undefined);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onClose();
            if (event.key !== 'Enter' || event.metaKey || event.ctrlKey) return;
            event.preventDefault();
            add();
          }}
        />
        <Button onClick={add}>Add</Button>
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </span>
    </Field>
  );
}
