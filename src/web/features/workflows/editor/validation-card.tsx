import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { priceLabel } from '#web/forms/money/price-lines.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { Spinner } from '#web/ui/display/progress.tsx';
import { EstimateBreakdown } from '../steps/estimate-breakdown.tsx';
import { useParts } from './editor-parts.tsx';
import { focusPath } from './focus-path.ts';
import { inputTitle } from './inputs/input-kinds.ts';
import type { StarterValues } from './starter-values.ts';
import { type StarterProblem, useStarterValidation } from './validation.tsx';

const COLLAPSED_COUNT = 6;

export function ValidationCard() {
  const { problems, visible, isReadable, isValidated, estimate, isChecking, error, retry } = useStarterValidation();
  const isReady = isValidated && problems.length === 0;
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
      {isReadable ? null : <p className="text-ink-2">Fix the JSON to validate it.</p>}
      {error ? (
        <div className="flex flex-col items-start gap-2 text-ink-2">
          <p>Could not validate. {error.message} Your changes are still here.</p>
          <Button size="sm" onClick={retry}>
            Try again
          </Button>
        </div>
      ) : null}
      {isReady ? (
        <p className="flex items-center gap-1.5">
          <CircleCheck aria-hidden="true" className="size-4 text-good" />
          Ready to save.
        </p>
      ) : null}
      {visible.length > 0 ? <ProblemList /> : null}
      {problems.length > 0 && visible.length === 0 ? (
        <p className="text-ink-2">Enter a name to save this workflow.</p>
      ) : null}
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
      ) : isReady && !isChecking ? (
        <p className="text-ink-3">Fill in the example to see the price.</p>
      ) : null}
    </section>
  );
}

function ProblemList() {
  const { visible: problems, markTouched } = useStarterValidation();
  const parts = useParts();
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
                markTouched(problem.path);
                focusPath(problem.path);
              }}
              className="w-full rounded-sm px-1.5 py-1 text-left hover:bg-hover pointer-coarse:py-2.5"
            >
              <span className="block text-xs text-ink-3">{problemLocation(problem, parts)}</span>
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

function problemLocation({ path }: StarterProblem, { steps, inputs }: StarterValues): string {
  const [part = '', second = '', third] = path.split('.');
  const step = part === 'steps' && second !== '' ? steps[Number(second)] : undefined;
  if (step) return `Step “${step.name || step.key}”`;
  const input = second === 'properties' ? inputs.find(({ key }) => key === third) : undefined;
  return input ? `Input “${inputTitle(input)}”` : (PART_LABELS[part] ?? path);
}
