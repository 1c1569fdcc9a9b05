import { Braces } from 'lucide-react';
import type { RefObject } from 'react';
import type { Field } from '#contract/task.ts';
import { Button } from '#web/ui/button.tsx';
import { Menu, MenuItem } from '#web/ui/menu.tsx';
import { useEditor, useEditorState } from '../editor-context.ts';
import { kindOf, titleOf } from '../inputs/input-kinds.ts';
import { goesThroughPosts } from './source-options.ts';
import type { StepFieldProps } from './step-field.tsx';

export interface InsertMenuProps extends StepFieldProps {
  field: Extract<Field, { kind: 'text' }>;
  /** Around the text's box. */
  box: RefObject<HTMLElement | null>;
}

/** Puts into a text, where the cursor is, what is filled in anew with each run. */
export function InsertMenu({ field, step, box }: InsertMenuProps) {
  const editor = useEditor();
  const inputs = useEditorState((state) => state.inputs);
  const words = inputs
    .filter(({ property }) => ['text', 'choice', 'number'].includes(kindOf(property) ?? ''))
    .map((input) => ({ label: `“${titleOf(input)}”`, expression: `input.${input.key}` }));
  const items = step.for_each === null ? [] : [goesThroughPosts(step) ? post : item, place];
  const all = [...words, ...items];
  if (all.length === 0) return null;
  const insert = (expression: string) => {
    const control = box.current?.querySelector<HTMLTextAreaElement | HTMLInputElement>('textarea, input');
    const text = typeof step.input[field.name] === 'string' ? String(step.input[field.name]) : '';
    const [from, to] = [control?.selectionStart ?? text.length, control?.selectionEnd ?? text.length];
    const put = `{{ ${expression} }}`;
    // A text that is one expression and nothing else would no longer be a text.
    const next = `${text.slice(0, from)}${put}${text.slice(to)}`;
    editor.changeStep(step.id, (now) => ({ ...now, input: { ...now.input, [field.name]: next } }));
    requestAnimationFrame(() => {
      control?.focus();
      control?.setSelectionRange(from + put.length, from + put.length);
    });
  };
  return (
    <Menu
      label={`Put into ${field.label.toLowerCase()}`}
      align="start"
      renderTrigger={(props) => (
        <Button
          {...props}
          size="sm"
          variant="ghost"
          className="-ml-2.5 self-start"
          icon={<Braces aria-hidden="true" className="size-4" />}
        >
          Put in…
        </Button>
      )}
    >
      {all.map(({ label, expression }) => (
        <MenuItem
          key={expression}
          aside={<code className="font-mono text-xs text-ink-3">{expression}</code>}
          onSelect={() => insert(expression)}
        >
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}

const post = { label: 'The caption of the post', expression: 'item.caption' };
const item = { label: 'The item itself', expression: 'item' };
const place = { label: 'Its number', expression: 'index + 1' };
