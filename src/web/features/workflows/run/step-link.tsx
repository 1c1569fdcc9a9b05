import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface StepLinkProps {
  run_id: string;
  stepKey: string;
  openKey: string | undefined;
  className: string;
  children: ReactNode;
}

export function StepLink({ run_id, stepKey, openKey, className, children }: StepLinkProps) {
  const isOpen = stepKey === openKey;
  return (
    <Link
      to="/workflows/runs/$id"
      params={{ id: run_id }}
      search={isOpen ? {} : { step: stepKey }}
      resetScroll={false}
      // Back closes the panel, however many steps were opened.
      replace={openKey !== undefined}
      aria-current={isOpen || undefined}
      className={className}
    >
      {children}
    </Link>
  );
}
