import { useQuery } from '@tanstack/react-query';
import { isMissingFeature } from '#web/api/api-errors.ts';
import { recentPromptsQuery } from '#web/api/queries/presets.ts';
import { queryError } from '#web/api/queries/query-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** One's own latest prompts, for those who do not press Up in the empty prompt. */
export function RecentPrompts({ onChoose }: { onChoose: (prompt: string) => void }) {
  const recent = useQuery(recentPromptsQuery);
  const prompts = recent.data?.filter(({ task }) => task !== 'social.search');
  const problem = queryError(recent);
  if (isMissingFeature(recent.error)) return null;
  return (
    <section aria-labelledby="recent-prompts" className="flex flex-col gap-1 p-3">
      <div className="flex items-center justify-between gap-2">
        <h3 id="recent-prompts" className="text-sm font-semibold">
          Recent prompts
        </h3>
        <span className="flex items-center gap-1.5 text-xs text-ink-3 pointer-coarse:hidden">
          <Kbd keys="↑" /> in the empty prompt
        </span>
      </div>
      {prompts ? (
        <ul aria-label="Recent prompts" className="-mx-1.5 flex max-h-52 flex-col overflow-y-auto">
          {prompts.map(({ prompt }) => (
            <li key={prompt}>
              <button
                type="button"
                dir="auto"
                onClick={() => onChoose(prompt)}
                className="line-clamp-2 w-full rounded-sm px-1.5 py-1 text-left text-sm text-ink-2 hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
              >
                {prompt}
              </button>
            </li>
          ))}
          {prompts.length === 0 ? (
            <li className="px-1.5 py-1 text-sm text-ink-3">Prompts you generate with appear here.</li>
          ) : null}
        </ul>
      ) : problem ? (
        <p role="alert" className="flex flex-wrap items-center gap-2 text-sm text-ink-2">
          Recent prompts could not be loaded.
          <Button size="sm" onClick={() => void recent.refetch()}>
            Try again
          </Button>
        </p>
      ) : (
        <Skeleton className="h-8 rounded-sm" />
      )}
    </section>
  );
}
