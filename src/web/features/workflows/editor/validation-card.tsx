import { CircleCheck } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { priceLabel } from '#web/forms/price-lines.ts';
import { Button } from '#web/ui/button.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Spinner } from '#web/ui/progress.tsx';
import { EstimateBreakdown } from '../steps/estimate-breakdown.tsx';
import { useEditor, useEditorState } from './editor-context.ts';
import { focusPath } from './focus-path.ts';
import type { StarterProblem } from './editor.ts';
import type { EditorState } from './editor-state.ts';
import { inputTitle } from './inputs/input-kinds.ts';
import type { StarterValidation } from './use-starter-validation.ts';

const COLLAPSED_COUNT = 6;

export function ValidationCard({ validation }: { validation: StarterValidation }) {
  const { count, estimate, isChecking, error, retry, definition } = validation;
  return (
    <section
      aria-label="Validation"
      className="flex flex-col gap-3 rounded-md border border-line bg-surface p-4 text-sm"
    >
      <header className="flex min-h-6 items-center gap-2">
        <h2 className="flex-1 text-base font-semibold">Validation</h2>
        {isChecking ? (
          <span className="flex items-center gap-1.5 text-ink-3">
            <Spinner className="size-3.5" />
            Validating
          </span>
        ) : null}
      </header>
      {definition === null ? <p className="text-ink-2">Fix the JSON to validate it.</p> : null}
      {error ? (
        <div className="flex flex-col items-start gap-2 text-ink-2">
          <p>Could not validate. {error.message} Your changes are still here.</p>
          <Button size="sm" onClick={retry}>
            Try again
          </Button>
        </div>
      ) : null}
      {count === 0 ? (
        <p className="flex items-center gap-1.5">
          <CircleCheck aria-hidden="true" className="size-4 text-good" />
          Ready to save.
        </p>
      ) : null}
      {count ? <ProblemList /> : null}
      {estimate ? (
        <Disclosure
          summary={
            <>
              Example run: <span className="text-ink tabular-nums">{priceLabel(estimate)}</span>
            </>
          }
        >
          <EstimateBreakdown estimate={estimate} />
        </Disclosure>
      ) : count === 0 && !isChecking ? (
        <p className="text-ink-3">Fill in the example to see the price.</p>
      ) : null}
    </section>
  );
}

function ProblemList() {
  const editor = useEditor();
  const problems = useSyncExternalStore(editor.subscribe, editor.problems);
  const state = useEditorState((now) => now);
  const [all, setAll] = useState(false);
  const visibleProblems = all ? problems : problems.slice(0, COLLAPSED_COUNT);
  return (
    <>
      <ul aria-label="Problems" className="flex flex-col">
        {visibleProblems.map((problem) => (
          <li key={`${problem.path}${problem.message}`}>
            <button
              type="button"
              onClick={() => {
                editor.markTouched(problem.path);
                focusPath(problem.path);
              }}
              className="w-full rounded-sm px-1.5 py-1 text-left hover:bg-hover pointer-coarse:py-2.5"
            >
              <span className="block text-xs text-ink-3">{problemLocation(problem, state)}</span>
              {problem.message}
            </button>
          </li>
        ))}
      </ul>
      {problems.length > visibleProblems.length ? (
        <Button size="sm" variant="ghost" className="self-start" onClick={() => setAll(true)}>
          Show all {problems.length}
        </Button>
      ) : null}
    </>
  );
}

const PART_LABELS: Readonly<Record<string, string>> = {
  name: 'Name',
  slug: 'URL name',
  description: 'Description',
  input_schema: 'Inputs',
  steps: 'Steps',
  output: 'Results',
  example_input: 'Example',
};

function problemLocation({ path }: StarterProblem, { steps, inputs }: EditorState): string {
  const [part = '', second = '', third] = path.split('.');
  const step = part === 'steps' && second !== '' ? steps[Number(second)] : undefined;
  if (step) return `Step “${step.name || step.key}”`;
  const input = second === 'properties' ? inputs.find(({ key }) => key === third) : undefined;
  return input ? `Input “${inputTitle(input)}”` : (PART_LABELS[part] ?? path);
}
