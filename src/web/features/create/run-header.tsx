import type { ReactNode } from 'react';
import { MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { summarizeInput } from '#web/forms/inputs/describe-input.ts';

type RunHeaderProps = Pick<Generation, 'task' | 'model' | 'input'> & {
  /** One of several side by side, whose prompt is above all of them. */
  beside: boolean;
  /** After the name: status and cost, once they are known. */
  children?: ReactNode;
};

/** The model of a run and its prompt. */
export function RunHeader({ task, model, input, beside, children }: RunHeaderProps) {
  const { name } = TASKS[task];
  const summary = summarizeInput(task, model, input);
  return (
    <header className="flex min-w-0 flex-col gap-1">
      <div className="flex min-h-7 min-w-0 flex-wrap items-center gap-x-3">
        <h2 className="min-w-0 truncate font-semibold">{model ? MODEL_NAMES[model] : name}</h2>
        {children}
      </div>
      {beside ? null : (
        <p dir="auto" className="line-clamp-2 text-sm wrap-anywhere text-ink-2">
          {model ? summary : summary.replace(`${name} · `, '')}
        </p>
      )}
    </header>
  );
}

/** The classes of a run's column. */
export const runLayout = (beside: boolean) =>
  beside ? 'flex min-w-0 flex-col gap-1.5' : 'flex min-w-0 flex-col gap-3';

/** Side by side, keeps the place of the actions until the result is there, so that the results below stay where they are. */
export const ActionsPlace = ({ beside }: { beside: boolean }) =>
  beside ? <div className="h-7 pointer-coarse:h-9" /> : null;
