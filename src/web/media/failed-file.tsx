import { ImageOff } from 'lucide-react';
import { Button } from '#web/ui/controls/button.tsx';

export function FailedFile({ title, onRetry }: { title?: string; onRetry: () => void }) {
  return (
    <div
      role="alert"
      className="flex size-full flex-col items-center justify-center gap-3 px-6 text-center text-sm text-ink-2"
    >
      <ImageOff aria-hidden="true" className="size-6 stroke-[1.5] text-ink-3" />
      {title ? (
        <p dir="auto" className="line-clamp-2 max-w-prose font-medium wrap-anywhere text-ink">
          {title}
        </p>
      ) : null}
      <p>The file can’t be loaded. Its link may have expired, or it was deleted.</p>
      <Button size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
