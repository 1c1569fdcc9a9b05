import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Generation } from '#contract/resources/generation.ts';

export interface CreateLinkProps {
  generation: Generation;
  className?: string;
  children: ReactNode;
}

/** To the form this was made with, filled in as it was. */
export function CreateLink({ generation: { id, task, model }, className, children }: CreateLinkProps) {
  const to: string = model ? `/create/${task}/${model}` : `/create/${task}`;
  return (
    <Link to={to} search={{ from: id }} className={className}>
      {children}
    </Link>
  );
}
