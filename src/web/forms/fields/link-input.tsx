import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { validateReferenceUrl } from '#contract/reference-url.ts';
import type { MediaKind } from '#contract/task.ts';
import { MEDIA_NOUNS } from '../format-field-value.ts';
import { useTaskForm } from '../form-context.ts';
import { localServiceOrigin, cacheLinkInfo } from '#web/api/reference-info.ts';
import { checkReference } from '#web/api/queries/check-reference.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';

/** Adds a file by URL after the service has checked it. */
export function LinkInput({
  label,
  media,
  onAdd,
  onClose,
}: {
  label: string;
  media: MediaKind;
  onAdd: (url: string) => void;
  onClose: () => void;
}) {
  const { signed_in } = useTaskForm();
  const [url, setUrl] = useState('');
  const [problem, setProblem] = useState<string>();
  const check = useMutation(checkReference);
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    box.current?.focus();
  }, []);
  const add = async () => {
    if (check.isPending) return;
    const address = url.trim();
    const malformed = validateReferenceUrl(address, localServiceOrigin());
    if (malformed) return setProblem(malformed);
    // Checking a link requires a key.
    if (!signed_in) return onAdd(address);
    try {
      const found = await check.mutateAsync(address);
      if (found && found.type !== media) return setProblem(mediaMismatchMessage(found.type, media));
      if (found) cacheLinkInfo(found);
      onAdd(address);
    } catch (error) {
      setProblem(`This link can’t be used. ${error instanceof Error ? error.message : ''}`);
    }
  };
  return (
    <Field label={label} error={problem} hint={check.isPending ? 'Checking the link…' : 'Use a public https:// link.'}>
      <span className="flex flex-wrap gap-2">
        <TextInput
          type="url"
          inputMode="url"
          dir="ltr"
          ref={box}
          placeholder="https://"
          className="min-w-40 flex-1 basis-40"
          value={url}
          readOnly={check.isPending}
          onChange={(event) => {
            setUrl(event.target.value);
            setProblem(undefined);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onClose();
            if (event.key !== 'Enter' || event.metaKey || event.ctrlKey) return;
            event.preventDefault();
            void add();
          }}
        />
        <Button busy={check.isPending} onClick={() => void add()}>
          Add
        </Button>
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </span>
    </Field>
  );
}

function mediaMismatchMessage(found: MediaKind, wanted: MediaKind): string {
  return `This link leads to a ${MEDIA_NOUNS[found][0]}. This field takes ${MEDIA_NOUNS[wanted][1]}.`;
}
