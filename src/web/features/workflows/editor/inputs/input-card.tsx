import { ChevronRight } from 'lucide-react';
import { Badge } from '#web/ui/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { ErrorText, Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { moveItem } from '#web/forms/move-item.ts';
import { useEditor, useProblems, changeWithUndo } from '../editor-context.ts';
import { type EditorInput, type EditorState, uniqueKey } from '../editor-state.ts';
import { renameEverywhere, findDependents } from '../expressions.ts';
import { ListItemMenu } from '../list-item-menu.tsx';
import { PathField, KeyField } from '../path-field.tsx';
import { InputSettings } from './input-settings.tsx';
import {
  INPUT_DEFAULTS,
  INPUT_KINDS,
  type InputKind,
  INPUT_KIND_LABELS,
  detectInputKind,
  inputTitle,
  mergeProperty,
} from './input-kinds.ts';

interface InputCardProps {
  input: EditorInput;
  at: number;
  count: number;
  isOpen: boolean;
  onToggle: () => void;
}

/** These fields show their own problems; others are listed at the end of the card. */
const INLINE_PROBLEM_FIELDS = [
  'title',
  'description',
  'minimum',
  'maximum',
  'default',
  'enum',
  'x-unit',
  'minItems',
  'maxItems',
  'maxLength',
];

export function InputCard({ input, at, count, isOpen, onToggle }: InputCardProps) {
  const editor = useEditor();
  const { id, key, property, required } = input;
  const path = `input_schema.properties.${key}`;
  const problems = useProblems(path);
  const otherProblems = problems.filter(
    (problem) => !INLINE_PROBLEM_FIELDS.some((name) => problem.path.startsWith(`${path}.${name}`)),
  );
  const kind = detectInputKind(property);
  const title = inputTitle(input);
  const set = (parts: EditorInput['property']) =>
    editor.changeInput(id, (now) => ({ ...now, property: mergeProperty(now.property, parts) }));
  const remove = () =>
    changeWithUndo(editor, `“${title}” deleted`, findDependents(editor.state(), 'input', key), (state) => ({
      ...state,
      inputs: state.inputs.filter((each) => each.id !== id),
    }));
  return (
    <div
      data-path={path}
      className={cx('rounded-md border bg-surface', problems.length > 0 ? 'border-bad' : 'border-line')}
    >
      <div className="flex items-center gap-2 py-1.5 pr-1.5 pl-2">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-sm text-left pointer-coarse:min-h-11"
        >
          <ChevronRight
            aria-hidden="true"
            className={cx('size-4 flex-none text-ink-3 transition-transform', isOpen && 'rotate-90')}
          />
          <span className="truncate font-medium">{title}</span>
          <span className="flex-none text-sm text-ink-3">
            {kind ? INPUT_KIND_LABELS[kind].label : 'Custom'}
            {required || kind === 'boolean' || (kind && 'default' in property) ? '' : ', optional'}
          </span>
          {problems.length > 0 ? (
            <Badge tone="bad">{problems.length === 1 ? '1 problem' : `${problems.length} problems`}</Badge>
          ) : null}
        </button>
        <ListItemMenu
          name={title}
          at={at}
          count={count}
          onMove={(to) => editor.change((state) => ({ ...state, inputs: moveItem(state.inputs, at, to) }))}
          onDelete={remove}
        />
      </div>
      {isOpen ? (
        <div className="grid gap-4 border-t border-line p-4 sm:grid-cols-2">
          <PathField label="Label" path={`${path}.title`}>
            <TextInput
              value={typeof property['title'] === 'string' ? property['title'] : ''}
              onChange={(event) => editor.change((state) => changeTitle(state, input, event.target.value))}
            />
          </PathField>
          <KeyField expressionRoot="input" value={key} path={path} />
          <Field label="Type">
            <Select
              value={kind ?? ''}
              placeholder="Custom"
              options={INPUT_KINDS.map((value) => ({ value, label: INPUT_KIND_LABELS[value].label }))}
              onChange={(next) => editor.changeInput(id, (now) => changeKind(now, next))}
            />
          </Field>
          <PathField label="Help text" optional path={`${path}.description`}>
            <TextInput
              placeholder="Shown below the field"
              value={typeof property['description'] === 'string' ? property['description'] : ''}
              onChange={(event) => set({ description: event.target.value || undefined })}
            />
          </PathField>
          {kind ? (
            <InputSettings kind={kind} input={input} path={path} />
          ) : (
            <p className="text-sm text-ink-2 sm:col-span-2">This input type can only be edited as JSON.</p>
          )}
          <div className="flex flex-col gap-1 empty:hidden sm:col-span-2">
            {otherProblems.map((problem) => (
              <ErrorText key={`${problem.path}${problem.message}`}>{problem.message}</ErrorText>
            ))}
          </div>
        </div>
      ) : null}
    </div>
  );
}

/** In a new workflow the key follows as long as no expression uses it. */
function changeTitle(state: EditorState, { id, key }: EditorInput, title: string): EditorState {
  const renamed = {
    ...state,
    inputs: state.inputs.map((each) =>
      each.id === id ? { ...each, property: mergeProperty(each.property, { title: title || undefined }) } : each,
    ),
  };
  if (state.base !== null || findDependents(state, 'input', key).length > 0) return renamed;
  const others = state.inputs.filter((each) => each.id !== id).map((each) => each.key);
  return renameEverywhere(renamed, 'input', key, uniqueKey(title, others, 'input'));
}

/** Changes the type: keeps label and help text, and resets limits and default. */
function changeKind(input: EditorInput, kind: InputKind): EditorInput {
  const { required, property } = INPUT_DEFAULTS[kind];
  const { title, description } = input.property;
  return { ...input, required, property: mergeProperty(property, { title, description }) };
}
