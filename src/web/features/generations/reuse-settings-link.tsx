import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Generation } from '#contract/resources/generation.ts';
import { createPageLink } from '#web/api/create-page-link.ts';

export interface ReuseSettingsLinkProps {
  generation: Generation;
  className?: string;
  children: ReactNode;
}

export function ReuseSettingsLink({ generation: { id, task, model }, className, children }: ReuseSettingsLinkProps) {
  return (
    <Link {...createPageLink(task, model)} search={{ from: id }} className={className}>
      {children}
    </Link>
  );
}
