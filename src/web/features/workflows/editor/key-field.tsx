import { useState } from 'react';
import { WORKFLOW_KEY_PATTERN } from '#contract/workflow-definition.ts';
import { Field } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { useEditor, useEditorState, useProblem } from './editor-context.ts';
import { renameEverywhere, type ExpressionRoot } from './expressions.ts';

interface KeyFieldProps {
  expressionRoot: ExpressionRoot;
  value: string;
  path: string;
}

/** Edits the key of an input or a step; a valid key is renamed in all expressions at once. */
export function KeyField({ expressionRoot, value, path }: KeyFieldProps) {
  const editor = useEditor();
  const problem = useProblem(path);
  const [draft, setDraft] = useState<string | null>(null);
  const isTaken = useEditorState((state) =>
    (expressionRoot === 'input' ? state.inputs : state.steps).some(({ key }) => key === draft && key !== value),
  );
  const shown = draft ?? value;
  const error =
    draft === null || draft === value
      ? undefined
      : isTaken
        ? 'This key is already in use.'
        : 'Use lowercase letters, digits, and underscores, starting with a letter.';
  const changeKey = (next: string) => {
    const { inputs, steps } = editor.state();
    const isFree = !(expressionRoot === 'input' ? inputs : steps).some(({ key }) => key === next && key !== value);
    if (!WORKFLOW_KEY_PATTERN.test(next) || !isFree) return setDraft(next);
    setDraft(null);
    editor.change((state) => renameEverywhere(state, expressionRoot, value, next));
  };
  return (
    <div data-path={path}>
      <Field label="Key" hint={`Use it in expressions as ${expressionRoot}.${value}`} error={error ?? problem}>
        <TextInput
          value={shown}
          spellCheck={false}
          autoCapitalize="off"
          className="font-mono text-sm"
          onChange={(event) => changeKey(event.target.value)}
          onBlur={() => setDraft(null)}
        />
      </Field>
    </div>
  );
}
