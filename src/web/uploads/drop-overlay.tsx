import { Upload } from 'lucide-react';
import { useEffect, useRef } from 'react';

export interface FileDrag {
  count: number | null;
  message: string;
  isAccepted: boolean;
}

export function DropOverlay({ drag: { count, message, isAccepted } }: { drag: FileDrag }) {
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => layer.current?.showPopover(), []);
  const title = count === null || count === 1 ? 'Drop to upload' : `Drop to upload ${count} files`;
  return (
    <div
      ref={layer}
      popover="manual"
      className="pointer-events-none fixed inset-0 m-0 size-auto max-h-none max-w-none border-0 bg-transparent p-2 text-ink"
    >
      <div className="flex size-full items-end justify-center rounded-lg border-2 border-dashed border-amber pb-24 md:pb-10">
        <output className="flex max-w-[min(28rem,100%-2rem)] items-center gap-3 rounded-md border border-line-strong bg-raised px-4 py-3 shadow-float">
          <Upload aria-hidden="true" className="size-6 flex-none stroke-[1.5] text-amber-text" />
          <span className="min-w-0 text-sm">
            <span className="block text-base font-semibold">{isAccepted ? title : 'Sign in to upload'}</span>
            <span className="block text-ink-2">{message}</span>
          </span>
        </output>
      </div>
    </div>
  );
}
