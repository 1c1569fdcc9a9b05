import { CircleAlert, Dot } from 'lucide-react';
import type { ModelComparison } from '#contract/resources/added-model.ts';

/** What a provider changed; changes that break the form are marked. */
export const ChangeList = ({ changes }: Pick<ModelComparison, 'changes'>) => (
  <ul aria-label="Changes" className="mt-1 flex flex-col gap-0.5 text-sm">
    {changes.map(({ text, breaks }) => (
      <li key={text} className="flex gap-1.5">
        {breaks ? (
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 flex-none text-bad" />
        ) : (
          <Dot aria-hidden="true" className="mt-0.5 size-4 flex-none text-ink-3" />
        )}
        <span className="min-w-0 wrap-anywhere">
          {text}
          {breaks ? <span className="font-medium"> Earlier inputs no longer work.</span> : null}
        </span>
      </li>
    ))}
  </ul>
);
