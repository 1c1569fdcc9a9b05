import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export interface StepLinkProps {
  run_id: string;
  /** Of the step. */
  stepKey: string;
  /** Of the step that is open; undefined where none is. */
  openKey: string | undefined;
  className: string;
  children: ReactNode;
}

/** Opens a step of a run beside it; where it is open, closes it. */
export function StepLink({ run_id, stepKey, openKey, className, children }: StepLinkProps) {
  const isOpen = stepKey === openKey;
  return (
    <Link
      to="/workflows/runs/$id"
      params={{ id: run_id }}
      search={isOpen ? {} : { step: stepKey }}
      resetScroll={false}
      // Going back closes the panel, however many steps were looked at.
      replace={openKey !== undefined}
      aria-current={isOpen || undefined}
      className={className}
    >
      {children}
    </Link>
  );
}
