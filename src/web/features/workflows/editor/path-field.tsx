import { type ReactNode, useState } from 'react';
import { WORKFLOW_KEY_PATTERN } from '#contract/workflow-definition.ts';
import { Field, type FieldProps } from '#web/ui/field.tsx';
import { TextInput } from '#web/ui/text-input.tsx';
import { useEditor, useEditorState, useProblem } from './editor-context.ts';
import { type ExpressionRoot, renameEverywhere } from './expressions.ts';

interface PathFieldProps extends Omit<FieldProps, 'error'> {
  /** Path within the definition, whose problems are shown; null for none. */
  path: string | null;
  children: ReactNode;
}

export function PathField({ path, className, ...field }: PathFieldProps) {
  const error = useProblem(path);
  return (
    <div data-path={path ?? undefined} className={className}>
      <Field {...field} error={error} />
    </div>
  );
}

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
