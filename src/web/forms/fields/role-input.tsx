import { AtSign } from 'lucide-react';
import { useState } from 'react';
import { useFormValue, useTaskForm } from '../form-context.ts';
import { listNamedReferences } from '#web/forms/values/reference-mentions.ts';
import { cx } from '#web/ui/cx.ts';

interface RoleInputProps {
  url: string;
  name: string;
  role: string;
  onChange: (role: string) => void;
  className?: string;
}

/** What a reference is for. Where the prompt can name references, only roles from earlier are edited here. */
export function RoleInput({ url, name, role, onChange, className }: RoleInputProps) {
  const { promptTools } = useTaskForm();
  const [hadRole] = useState(role !== '');
  if (promptTools && !hadRole) return <MentionButton url={url} name={name} className={className} />;
  return (
    <input
      type="text"
      dir="auto"
      aria-label={`Role of ${name}`}
      placeholder="Role: style, person…"
      value={role}
      onChange={(event) => onChange(event.target.value)}
      className={cx(
        'h-8 min-w-0 bg-transparent px-2 text-xs -outline-offset-2 focus-visible:bg-hover pointer-coarse:h-11 pointer-coarse:text-base',
        className,
      )}
    />
  );
}

function MentionButton({ url, name, className }: Pick<RoleInputProps, 'url' | 'name' | 'className'>) {
  const { form } = useTaskForm();
  const mention = useFormValue(
    (values) => listNamedReferences(form.contract, values).find((reference) => reference.url === url)?.mention,
  );
  const prompt = form.contract.fields.find((field) => field.kind === 'text' && field.multiline);
  if (!mention || !prompt) return null;
  const write = () => {
    const text = form.values()[prompt.name];
    const before = typeof text === 'string' ? text.trimEnd() : '';
    form.setValue(prompt.name, before === '' ? `${mention} ` : `${before} ${mention} `);
  };
  return (
    <button
      type="button"
      onClick={write}
      aria-label={`Add ${mention} to the prompt`}
      data-tooltip={`Name ${name} in the prompt: “${mention} is the person”`}
      className={cx(
        'flex h-8 min-w-0 items-center gap-1 px-2 text-xs font-medium text-ink-2 -outline-offset-2 hover:bg-hover hover:text-ink pointer-coarse:h-11',
        className,
      )}
    >
      <AtSign aria-hidden="true" className="size-3.5 flex-none text-ink-3" />
      {mention.slice(1)}
    </button>
  );
}
