import { Link } from '@tanstack/react-router';
import { Workflow } from 'lucide-react';
import type { ReactNode } from 'react';
import { isNotFound, queryError } from '#web/api/api-errors.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';

interface NotLoadedProps {
  query: Parameters<typeof queryError>[0] & { refetch: () => unknown };
  what: 'run' | 'workflow' | 'generation';
  /** Where to look instead. */
  list: 'starters' | 'runs';
  skeleton: ReactNode;
}

/** In place of a run or a workflow that is loading, failed to load or does not exist. */
export function NotLoaded({ query, what, list, skeleton }: NotLoadedProps) {
  const problem = queryError(query);
  if (!problem) return skeleton;
  if (!isNotFound(problem))
    return <LoadError what={`This ${what}`} error={problem} onRetry={() => void query.refetch()} />;
  return (
    <EmptyState
      icon={<Workflow aria-hidden="true" />}
      title={`${what.charAt(0).toUpperCase()}${what.slice(1)} not found`}
      actions={
        <Link to="/workflows" search={list === 'runs' ? { part: 'runs' } : {}} className={buttonClass()}>
          {list === 'runs' ? 'All runs' : 'All workflows'}
        </Link>
      }
    >
      It may have been deleted, or it belongs to another organization.
    </EmptyState>
  );
}
