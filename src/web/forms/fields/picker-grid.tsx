import { Check } from 'lucide-react';
import type { MediaKind } from '#contract/task.ts';
import { MediaThumb } from '#web/forms/fields/media-thumb.tsx';
import type { Shelf } from '#web/forms/fields/use-library.ts';
import { measureWords } from '#web/forms/media-words.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { EmptyState, ErrorState } from '#web/ui/empty-state.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

const columns = 'grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-2';

/** A shelf of media as toggles. */
export function PickerGrid({
  shelf,
  media,
  chosen,
  onToggle,
  empty,
}: {
  shelf: Shelf;
  media: MediaKind;
  chosen: readonly string[];
  onToggle: (url: string) => void;
  empty: string;
}) {
  if (shelf.state === 'loading')
    return (
      <Loading label="Loading" className={columns}>
        {Array.from({ length: 8 }, (_, at) => (
          <Skeleton key={at} className="aspect-square rounded-md" />
        ))}
      </Loading>
    );
  if (shelf.state === 'failed')
    return (
      <ErrorState title="These could not be loaded" actions={<Button onClick={shelf.again}>Try again</Button>}>
        What you filled in is kept.
      </ErrorState>
    );
  if (shelf.media.length === 0 && !shelf.has_more) return <EmptyState title="Nothing here yet">{empty}</EmptyState>;
  return (
    <>
      <ul className={columns}>
        {shelf.media.map((medium) => {
          const place = chosen.indexOf(medium.url);
          const name = 'filename' in medium && medium.filename ? medium.filename : null;
          return (
            <li key={medium.id}>
              <button
                type="button"
                aria-pressed={place >= 0}
                onClick={() => onToggle(medium.url)}
                onPointerEnter={({ currentTarget }) =>
                  void currentTarget
                    .querySelector('video')
                    ?.play()
                    .catch(() => null)
                }
                onPointerLeave={({ currentTarget }) => currentTarget.querySelector('video')?.pause()}
                className={cx(
                  'relative block w-full overflow-hidden rounded-md border text-left transition-colors hover:border-line-strong',
                  place >= 0 ? 'border-amber outline-2 -outline-offset-1 outline-amber' : 'border-line',
                )}
              >
                <MediaThumb
                  url={medium.url}
                  media={media}
                  derivatives={medium.derivatives}
                  className="aspect-4/3 w-full"
                />
                {place >= 0 ? (
                  <span className="absolute top-1.5 right-1.5 flex h-5.5 min-w-5.5 items-center justify-center rounded-sm bg-amber px-1 text-xs font-semibold text-amber-ink">
                    {chosen.length > 1 ? place + 1 : <Check aria-hidden="true" className="size-3.5" />}
                  </span>
                ) : null}
                <span className="block px-2 py-1.5 text-xs">
                  <span className="block truncate font-medium">
                    {name ?? (measureWords(toInfo(medium)) || 'Result')}
                  </span>
                  <span className="block truncate text-ink-3">
                    {'created_at' in medium ? <RelativeTime at={medium.created_at} /> : medium.mime_type}
                  </span>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {shelf.has_more ? (
        <p className="mt-4 flex justify-center">
          <Button size="sm" busy={shelf.loading_more} onClick={shelf.loadMore}>
            Load more
          </Button>
        </p>
      ) : null}
    </>
  );
}

const toInfo = ({ width, height, duration_seconds }: Shelf['media'][number]) => ({
  name: null,
  width,
  height,
  duration_seconds,
});
