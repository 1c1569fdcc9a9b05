import type { ErrorDetail } from '#contract/errors.ts';
import type { EditorInput, EditorOutput, EditorState, EditorStep } from './editor-state.ts';

/** A problem of the edited workflow; paths follow its JSON (`steps.1.input.prompt`). */
export type StarterProblem = Pick<ErrorDetail, 'path' | 'message'>;

/**
 * Outside of React, so that typing in one field renders only what depends on it. No react-hook-form: renaming, undo and
 * the JSON view replace the whole document, and the service reports problems at paths of the JSON.
 */
export interface Editor {
  /** Stable until something changes. */
  state: () => EditorState;
  /** All known problems; stable until the next validation. */
  problems: () => readonly StarterProblem[];
  /** Visible problems at a path and below; stable until one of them changes. */
  problemsAt: (path: string) => readonly StarterProblem[];
  change: (next: (state: EditorState) => EditorState) => void;
  changeStep: (id: string, next: (step: EditorStep) => EditorStep) => void;
  changeInput: (id: string, next: (input: EditorInput) => EditorInput) => void;
  changeOutput: (id: string, next: (output: EditorOutput) => EditorOutput) => void;
  setProblems: (problems: readonly StarterProblem[]) => void;
  markTouched: (path: string) => void;
  showAll: () => void;
  subscribe: (listener: () => void) => () => void;
}

const NO_PROBLEMS: readonly StarterProblem[] = [];
const isBelow = (path: string, top: string) => path === top || path.startsWith(`${top}.`);
const hasSameProblems = (a: readonly StarterProblem[], b: readonly StarterProblem[]) =>
  a.length === b.length && a.every(({ path, message }, at) => path === b[at]?.path && message === b[at]?.message);

const replaceById = <T extends { id: string }>(list: readonly T[], id: string, next: (part: T) => T): readonly T[] =>
  list.map((part) => (part.id === id ? next(part) : part));

/** @param show_all shows all problems from the start, for workflows that are not new */
export function createEditor(initial: EditorState, show_all: boolean): Editor {
  let state = initial;
  let problems = NO_PROBLEMS;
  let showsAll = show_all;
  const touchedPaths = new Set<string>();
  const cachedProblems = new Map<string, readonly StarterProblem[]>();
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const change: Editor['change'] = (next) => {
    const changed = next(state);
    if (changed === state) return;
    state = changed;
    notify();
  };
  const isVisible = ({ path }: StarterProblem) => showsAll || [...touchedPaths].some((top) => isBelow(path, top));
  return {
    state: () => state,
    problems: () => problems,
    problemsAt: (top) => {
      const visible = problems.filter((problem) => isBelow(problem.path, top) && isVisible(problem));
      const before = cachedProblems.get(top) ?? NO_PROBLEMS;
      if (hasSameProblems(visible, before)) return before;
      cachedProblems.set(top, visible);
      return visible;
    },
    change,
    changeStep: (id, next) => change((now) => ({ ...now, steps: replaceById(now.steps, id, next) })),
    changeInput: (id, next) => change((now) => ({ ...now, inputs: replaceById(now.inputs, id, next) })),
    changeOutput: (id, next) =>
      change((now) => ({ ...now, outputs: now.outputs && replaceById(now.outputs, id, next) })),
    setProblems: (next) => {
      if (hasSameProblems(next, problems)) return;
      problems = next;
      notify();
    },
    markTouched: (path) => {
      if (touchedPaths.has(path)) return;
      touchedPaths.add(path);
      notify();
    },
    showAll: () => {
      showsAll = true;
      notify();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
