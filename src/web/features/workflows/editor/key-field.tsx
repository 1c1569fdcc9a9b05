import { useState } from 'react';
import { WORKFLOW_KEY_PATTERN } from '#contract/workflow-definition.ts';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { useEditor, useEditorState, useProblem } from './editor-context.ts';
import { renameEverywhere, type ExpressionRoot } from './expressions.ts';

export interface KeyFieldProps {
  expressionRoot: ExpressionRoot;
  value: string;
  path: string;
}

/** Edits the key of an input or a step; a valid key is renamed in all expressions at once. */
export function KeyField({ expressionRoot, value, path }: KeyFieldProps) {
  const editor = useEditor();
  const problem = useProblem(path);
  const [typed, setTyped] = useState<string | null>(null);
  const taken = useEditorState((state) =>
    (expressionRoot === 'input' ? state.inputs : state.steps).some(({ key }) => key === typed && key !== value),
  );
  const shown = typed ?? value;
  const wrong =
    typed === null || typed === value
      ? undefined
      : taken
        ? 'This key is already in use.'
        : 'Use lowercase letters, digits, and underscores, starting with a letter.';
  const type = (next: string) => {
    const { inputs, steps } = editor.state();
    const free = !(expressionRoot === 'input' ? inputs : steps).some(({ key }) => key === next && key !== value);
    if (!WORKFLOW_KEY_PATTERN.test(next) || !free) return setTyped(next);
    setTyped(null);
    editor.change((state) => renameEverywhere(state, expressionRoot, value, next));
  };
  return (
    <div data-path={path}>
      <Field label="Key" hint={`Use it in expressions as ${expressionRoot}.${value}`} error={wrong ?? problem}>
        <TextInput
          value={shown}
          spellCheck={false}
          autoCapitalize="off"
          className="font-mono text-sm"
          onChange={(event) => type(event.target.value)}
          onBlur={() => setTyped(null)}
        />
      </Field>
    </div>
  );
}
