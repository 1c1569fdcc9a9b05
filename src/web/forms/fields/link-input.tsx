import { mutationOptions, useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { validateReferenceUrl } from '#contract/reference-url.ts';
import type { MediaKind } from '#contract/task.ts';
import { useTaskForm } from '../form-context.ts';
import { localServiceOrigin, cacheLinkInfo } from '#web/api/reference-info.ts';
import { api } from '#web/api/api.ts';
import { ApiError } from '#web/api/api-errors.ts';
import type { ReferenceCheck } from '#contract/resources/reference.ts';
import { MEDIA_NOUNS, mediaNounWithArticle } from '#web/media/format-media.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';

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
  const { signedIn } = useTaskForm();
  const [url, setUrl] = useState('');
  const [problem, setProblem] = useState<string>();
  const check = useMutation(checkReference);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
  }, []);
  const add = async () => {
    if (check.isPending) return;
    const trimmedUrl = url.trim();
    const urlProblem = validateReferenceUrl(trimmedUrl, localServiceOrigin());
    if (urlProblem) return setProblem(urlProblem);
    // Only signed-in people can check a URL.
    if (!signedIn) return onAdd(trimmedUrl);
    try {
      const info = await check.mutateAsync(trimmedUrl);
      if (info && info.type !== media)
        return setProblem(
          `This URL is ${mediaNounWithArticle(info.type)}. This field accepts ${MEDIA_NOUNS[media][1]}.`,
        );
      if (info) cacheLinkInfo(info);
      onAdd(trimmedUrl);
    } catch (error) {
      setProblem(`This URL can’t be used. ${error instanceof Error ? error.message : ''}`);
    }
  };
  return (
    <Field label={label} error={problem} hint={check.isPending ? 'Checking the URL…' : 'Use a public https:// URL.'}>
      <span className="flex flex-wrap gap-2">
        <TextInput
          type="url"
          inputMode="url"
          dir="ltr"
          ref={input}
          placeholder="https://"
          className="min-w-40 flex-1 basis-40"
          value={url}
          data-pending={url.trim() === '' ? undefined : ''}
          onInvalid={() => setProblem('Add this URL, or clear it.')}
          readOnly={check.isPending}
          onChange={(event) => {
            setUrl(event.target.value);
            setProblem(undefined);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && url.trim() === '') onClose();
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

/**
 * Checks the file behind a link. Null where the service could not check it (busy, down, or without this feature), which
 * says nothing about the link.
 * @throws {ApiError} 400 or 422 with the reason where the link can't be used
 */
const checkReference = mutationOptions({
  mutationFn: async (url: string): Promise<ReferenceCheck | null> => {
    try {
      return await api.call('check_reference', { body: { url } });
    } catch (error) {
      if (error instanceof ApiError && (error.status === 400 || error.status === 422)) throw error;
      return null;
    }
  },
  networkMode: 'always',
});
