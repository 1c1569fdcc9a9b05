import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';

export interface NoMatchesProps {
  action?: string;
  onClear: () => void;
  children: ReactNode;
}

export function NoMatches({ action = 'Clear filters', onClear, children }: NoMatchesProps) {
  return (
    <EmptyState
      icon={<SearchX aria-hidden="true" />}
      title="Nothing matches"
      actions={
        <Button variant="primary" onClick={onClear}>
          {action}
        </Button>
      }
    >
      {children}
    </EmptyState>
  );
}
