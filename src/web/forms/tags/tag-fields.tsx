import { useQuery } from '@tanstack/react-query';
import { Tags } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { FILE_TAGS, MAX_ORDER_FILE_TAGS, splitFileTags } from '#contract/file-tags.ts';
import type { Tag } from '#contract/resources/tag.ts';
import { tagsQuery } from '#web/api/queries/settings.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { TagEditor } from './tag-editor.tsx';
import { clearTagProblem, tagPath, useTagProblem } from './tag-problems.ts';
import { TagValueInput } from './tag-value-input.tsx';
import { keepTagValues, setTagValue, useTagValues } from './tag-values.ts';

/** Asks for the values of the organization's tags, which charges keep, and for tags of the files. */
export function TagFields() {
  const { data: tags = [], isSuccess } = useQuery(tagsQuery);
  useEffect(() => {
    if (isSuccess) keepTagValues([...tags.map(({ name }) => name), FILE_TAGS]);
  }, [tags, isSuccess]);
  return (
    <div className="flex flex-col items-start gap-3">
      {tags.length > 0 ? (
        <fieldset aria-label="Tags" className="grid w-full gap-x-4 gap-y-3 sm:grid-cols-2">
          {tags.map((tag) => (
            <TagField key={tag.name} tag={tag} />
          ))}
        </fieldset>
      ) : null}
      <FileTags />
    </div>
  );
}

/** The tags of the files of the next work. */
function FileTags() {
  const tags = splitFileTags(useTagValues()[FILE_TAGS]);
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const [isOpen, setIsOpen] = useState(false);
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    field.current?.querySelector('input')?.focus();
    // Otherwise the bar with the price may cover it.
    field.current?.scrollIntoView({ block: 'center' });
  }, [isOpen]);
  const write = (next: readonly string[]) => {
    setTagValue(FILE_TAGS, next.join(', '));
    setError(undefined);
  };
  const add = (tag = text) => {
    if (tag.trim() === '') return;
    if (tags.length === MAX_ORDER_FILE_TAGS) return setError(`At most ${MAX_ORDER_FILE_TAGS} tags can be added here.`);
    write([...tags, tag.trim()]);
    setText('');
  };
  if (tags.length === 0 && !isOpen)
    return (
      <Button
        size="sm"
        variant="ghost"
        className="-ml-2.5"
        icon={<Tags aria-hidden="true" className="size-4" />}
        onClick={() => setIsOpen(true)}
      >
        Add tags to the files
      </Button>
    );
  return (
    <div ref={field} className="flex w-full flex-col gap-3">
      <TagEditor
        tags={tags.map((label) => ({ label }))}
        editing={{ text, setText, add, remove: (tag) => write(tags.filter((each) => each !== tag)), error }}
      />
    </div>
  );
}

function TagField({ tag: { name, label, required, values } }: { tag: Tag }) {
  const value = useTagValues()[name] ?? '';
  const problem = useTagProblem(name);
  const change = (next: string) => {
    setTagValue(name, next);
    clearTagProblem(name);
  };
  return (
    <div data-field={tagPath(name)}>
      <Field
        label={
          <>
            <bdi>{label}</bdi>
            {required ? (
              <span aria-hidden="true" className="font-normal text-ink-3">
                {' '}
                Required
              </span>
            ) : null}
          </>
        }
        required={required}
        optional={!required}
        error={problem}
      >
        {values ? (
          <Select
            value={values.includes(value) ? value : ''}
            options={[
              { value: '', label: required ? 'Choose…' : 'None' },
              ...values.map((option) => ({ value: option, label: option })),
            ]}
            onChange={change}
          />
        ) : (
          <TagValueInput name={name} value={value} onChange={change} />
        )}
      </Field>
    </div>
  );
}
