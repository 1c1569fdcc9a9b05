import { createLink } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { AnchorHTMLAttributes } from 'react';

/** A link above a heading, to the page that leads here. */
export const BackLink = createLink(({ children, ...props }: AnchorHTMLAttributes<HTMLAnchorElement>) => (
  <a
    {...props}
    className="-mt-2 mb-3 flex w-fit items-center gap-1.5 rounded-sm text-sm text-ink-2 hover:text-ink pointer-coarse:min-h-11"
  >
    <ArrowLeft aria-hidden="true" className="size-4" />
    {children}
  </a>
));
