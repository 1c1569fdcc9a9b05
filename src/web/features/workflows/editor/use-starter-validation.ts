import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { WorkflowEstimate } from '#contract/resources/workflow-starter.ts';
import { workflowValidationQuery } from '#web/api/queries/workflow-starters.ts';
import type { Editor, StarterProblem } from './editor.ts';
import { type EditorState, toDefinition } from './editor-state.ts';
import { parseJsonObject } from './parse-json-object.ts';

const VALIDATE_DELAY_MS = 300;

export interface StarterValidation {
  /** Null while the JSON is invalid. */
  definition: Record<string, unknown> | null;
  count: number | null;
  estimate: WorkflowEstimate | null;
  /** The result is for an earlier version. */
  isChecking: boolean;
  error: Error | null;
  retry: () => void;
}

export function currentDefinition(state: EditorState): Record<string, unknown> | null {
  if (state.json === null) return { ...toDefinition(state) };
  const read = parseJsonObject(state.json);
  return read.ok ? read.value : null;
}

/** Duplicate or empty result names get lost when the form becomes JSON. */
function clientProblems({ outputs, json }: EditorState): StarterProblem[] {
  const names = json === null && outputs ? outputs.map(({ name }) => name) : [];
  return names
    .filter((name, at) => name === '' || names.indexOf(name) !== at)
    .map((name) => ({
      path: `output.${name}`,
      message: name === '' ? 'Enter a name.' : `“${name}” is already in use.`,
    }));
}

/** Validates the edited workflow on the service, debounced, and passes the problems to the editor. */
export function useStarterValidation(editor: Editor): StarterValidation {
  const [debouncedState, setDebouncedState] = useState(() => editor.state());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const schedule = () => {
      if (editor.state() === debouncedState) return;
      clearTimeout(timer);
      timer = setTimeout(() => setDebouncedState(editor.state()), VALIDATE_DELAY_MS);
    };
    const stop = editor.subscribe(schedule);
    // It may have changed before this effect ran.
    schedule();
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [editor, debouncedState]);
  const definition = currentDefinition(debouncedState);
  const { data, isPlaceholderData, error, refetch, isFetching } = useQuery({
    ...workflowValidationQuery(definition ?? {}),
    enabled: definition !== null,
  });
  const currentResult = definition === null || isPlaceholderData ? undefined : data;
  useEffect(() => {
    if (currentResult) editor.setProblems([...currentResult.problems, ...clientProblems(debouncedState)]);
  }, [editor, currentResult, debouncedState]);
  return {
    definition,
    count: data && definition ? data.problems.length + clientProblems(debouncedState).length : null,
    estimate: definition ? (data?.estimate ?? null) : null,
    isChecking: isPlaceholderData || (isFetching && !data),
    error: error instanceof Error ? error : null,
    retry: () => void refetch(),
  };
}
