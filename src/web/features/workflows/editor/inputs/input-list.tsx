import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { ErrorText } from '#web/ui/field.tsx';
import { Menu, MenuItem } from '#web/ui/menu.tsx';
import { useEditor, useEditorState, useProblems } from '../editor-context.ts';
import { EditorSection } from '../editor-frame.tsx';
import { uniqueKey, nextPartId } from '../editor-state.ts';
import { INPUT_DEFAULTS, INPUT_KINDS, type InputKind, INPUT_KIND_LABELS } from './input-kinds.ts';
import { InputCard } from './input-card.tsx';

export function InputList() {
  const editor = useEditor();
  const inputs = useEditorState((state) => state.inputs);
  const [openId, setOpenId] = useState<string | null>(null);
  const problems = useProblems('input_schema').filter(({ path }) => !path.startsWith('input_schema.properties.'));
  const add = (kind: InputKind) => {
    const { required, property } = INPUT_DEFAULTS[kind];
    editor.change((state) => {
      const { id, last_id } = nextPartId(state);
      setOpenId(id);
      const key = uniqueKey(
        property.title,
        state.inputs.map((input) => input.key),
        'input',
      );
      return { ...state, last_id, inputs: [...state.inputs, { id, key, required, property }] };
    });
  };
  return (
    <EditorSection
      title="Inputs"
      intro="Fields people fill in before each run."
      path="input_schema"
      actions={
        <Menu
          label="Input type"
          renderTrigger={(props) => (
            <Button {...props} size="sm" icon={<Plus aria-hidden="true" className="size-4" />}>
              Add input
            </Button>
          )}
        >
          {INPUT_KINDS.map((kind) => (
            <MenuItem
              key={kind}
              aside={<span className="text-xs text-ink-3">{INPUT_KIND_LABELS[kind].description}</span>}
              onSelect={() => add(kind)}
            >
              {INPUT_KIND_LABELS[kind].label}
            </MenuItem>
          ))}
        </Menu>
      }
    >
      {inputs.length === 0 ? (
        <p className="text-sm text-ink-3">No inputs. Every run does the same.</p>
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
