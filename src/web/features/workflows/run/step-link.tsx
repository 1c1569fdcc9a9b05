import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export interface StepLinkProps {
  run_id: string;
  /** Of the step. */
  stepKey: string;
  isOpen: boolean;
  className: string;
  children: ReactNode;
}

/** Opens a step of a run beside it; where it is open, closes it. */
export function StepLink({ run_id, stepKey, isOpen, className, children }: StepLinkProps) {
  return (
    <Link
      to="/workflows/runs/$id"
      params={{ id: run_id }}
      search={isOpen ? {} : { step: stepKey }}
      resetScroll={false}
      replace
      aria-current={isOpen || undefined}
      className={className}
    >
      {children}
    </Link>
  );
}
