import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { ErrorText } from '#web/ui/field.tsx';
import { Menu, MenuItem } from '#web/ui/menu.tsx';
import { useEditor, useEditorState, useProblems } from '../editor-context.ts';
import { EditorSection } from '../editor-section.tsx';
import { keyFor, newId } from '../editor-state.ts';
import { BLANKS, INPUT_KINDS, type InputKind, KIND_WORDS } from './input-kinds.ts';
import { InputCard } from './input-card.tsx';

/** What a run asks for. */
export function InputList() {
  const editor = useEditor();
  const inputs = useEditorState((state) => state.inputs);
  const [openId, setOpenId] = useState<string | null>(null);
  const problems = useProblems('input_schema').filter(({ path }) => !path.startsWith('input_schema.properties.'));
  const add = (kind: InputKind) => {
    const { required, property } = BLANKS[kind];
    editor.change((state) => {
      const { id, last_id } = newId(state);
      setOpenId(id);
      const key = keyFor(
        property.title,
        state.inputs.map((input) => input.key),
        'input',
      );
      return { ...state, last_id, inputs: [...state.inputs, { id, key, required, property }] };
    });
  };
  return (
    <EditorSection
      title="What a run asks for"
      intro="These become the form. Steps take from them what differs from run to run."
      path="input_schema"
      actions={
        <Menu
          label="Kind of input"
          renderTrigger={(props) => (
            <Button {...props} size="sm" icon={<Plus aria-hidden="true" className="size-4" />}>
              Add an input
            </Button>
          )}
        >
          {INPUT_KINDS.map((kind) => (
            <MenuItem
              key={kind}
              aside={<span className="text-xs text-ink-3">{KIND_WORDS[kind].sentence}</span>}
              onSelect={() => add(kind)}
            >
              {KIND_WORDS[kind].label}
            </MenuItem>
          ))}
        </Menu>
      }
    >
      {inputs.length === 0 ? (
        <p className="text-sm text-ink-3">Nothing. Every run then does the very same.</p>
      ) : (
        <ol aria-label="Inputs" className="flex flex-col gap-2">
          {inputs.map((input, at) => (
            <li key={input.id}>
              <InputCard
                input={input}
                at={at}
                count={inputs.length}
                isOpen={input.id === openId}
                onToggle={() => setOpenId(input.id === openId ? null : input.id)}
              />
            </li>
          ))}
        </ol>
      )}
      {problems.map(({ path, message }) => (
        <ErrorText key={`${path}${message}`}>{message}</ErrorText>
      ))}
    </EditorSection>
  );
}
