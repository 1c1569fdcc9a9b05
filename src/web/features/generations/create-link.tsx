import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Generation } from '#contract/resources/generation.ts';
import { createAddress } from '#web/shell/create-address.ts';

export interface CreateLinkProps {
  generation: Generation;
  className?: string;
  children: ReactNode;
}

/** To the form this was made with, filled in as it was. */
export function CreateLink({ generation: { id, task, model }, className, children }: CreateLinkProps) {
  return (
    <Link {...createAddress(task, model)} search={{ from: id }} className={className}>
      {children}
    </Link>
  );
}
