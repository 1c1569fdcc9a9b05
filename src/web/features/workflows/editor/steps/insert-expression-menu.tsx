import { Braces } from 'lucide-react';
import type { RefObject } from 'react';
import type { FieldSpec } from '#contract/task.ts';
import { Button } from '#web/ui/button.tsx';
import { Menu, MenuItem } from '#web/ui/menu.tsx';
import { useEditor, useEditorState } from '../editor-context.ts';
import { detectInputKind, inputTitle } from '../inputs/input-kinds.ts';
import { iteratesPosts } from './source-options.ts';
import type { StepFieldProps } from './step-field.tsx';

interface InsertExpressionMenuProps extends StepFieldProps {
  field: Extract<FieldSpec, { kind: 'text' }>;
  box: RefObject<HTMLElement | null>;
}

export function InsertExpressionMenu({ field, step, box }: InsertExpressionMenuProps) {
  const editor = useEditor();
  const inputs = useEditorState((state) => state.inputs);
  const inputOptions = inputs
    .filter(({ property }) => ['text', 'choice', 'number'].includes(detectInputKind(property) ?? ''))
    .map((input) => ({ label: `“${inputTitle(input)}”`, expression: `input.${input.key}` }));
  const itemOptions = step.for_each === null ? [] : [iteratesPosts(step) ? POST_CAPTION : LIST_ITEM, ITEM_NUMBER];
  const all = [...inputOptions, ...itemOptions];
  if (all.length === 0) return null;
  const insert = (expression: string) => {
    const control = box.current?.querySelector<HTMLTextAreaElement | HTMLInputElement>('textarea, input');
    const text = typeof step.input[field.name] === 'string' ? String(step.input[field.name]) : '';
    const [from, to] = [control?.selectionStart ?? text.length, control?.selectionEnd ?? text.length];
    const placeholder = `{{ ${expression} }}`;
    // A string that is only one expression keeps the type of its value.
    const next = `${text.slice(0, from)}${placeholder}${text.slice(to)}`;
    editor.changeStep(step.id, (now) => ({ ...now, input: { ...now.input, [field.name]: next } }));
    requestAnimationFrame(() => {
      control?.focus();
      control?.setSelectionRange(from + placeholder.length, from + placeholder.length);
    });
  };
  return (
    <Menu
      label={`Insert into ${field.label.toLowerCase()}`}
      align="start"
      renderTrigger={(props) => (
        <Button
          {...props}
          size="sm"
          variant="ghost"
          className="-ml-2.5 self-start"
          icon={<Braces aria-hidden="true" className="size-4" />}
        >
          Insert…
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

const POST_CAPTION = { label: 'Post caption', expression: 'item.caption' };
const LIST_ITEM = { label: 'Item', expression: 'item' };
const ITEM_NUMBER = { label: 'Item number', expression: 'index + 1' };
