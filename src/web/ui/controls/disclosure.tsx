import { type ComponentProps, type ReactNode, useState } from 'react';
import { ChevronRight } from 'lucide-react';

export interface DisclosureProps extends ComponentProps<'details'> {
  summary: ReactNode;
  aside?: ReactNode;
  /** Whether the content is rendered only once it has been opened. */
  lazy?: boolean;
}

export function Disclosure({ summary, aside, lazy = false, className, children, ...rest }: DisclosureProps) {
  const [isRendered, setIsRendered] = useState(!lazy || rest.open === true);
  return (
    <details
      {...rest}
      className={className}
      onToggle={(event) => {
        rest.onToggle?.(event);
        if (event.currentTarget.open) setIsRendered(true);
      }}
    >
      <summary className="flex min-h-8 list-none items-center gap-1.5 rounded-sm text-sm font-medium text-ink-2 select-none hover:text-ink pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden="true"
          className="size-4 flex-none text-ink-3 transition-transform [[open]>summary>&]:rotate-90"
        />
        <span className="min-w-0 flex-1">{summary}</span>
        {aside}
      </summary>
      <div className="pt-2 pb-1 pl-5.5">{isRendered ? children : null}</div>
    </details>
  );
}
