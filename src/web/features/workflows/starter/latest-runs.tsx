import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useWorkflowRunList } from '#web/api/queries/use-workflow-run-list.ts';
import { Money } from '#web/ui/money.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { Section } from '#web/ui/section.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { runSummary } from '../runs/run-labels.ts';

const MAX_ROWS = 5;

export function LatestRuns({ slug }: { slug: string }) {
  const { rows } = useWorkflowRunList(useMemo(() => ({ starter_slug: slug }), [slug]));
  if (rows.length === 0) return null;
  return (
    <Section
      title="Recent runs"
      aside={
        rows.length > MAX_ROWS ? (
          <Link
            to="/workflows"
            search={{ part: 'runs', starter: slug }}
            className="text-sm text-ink-2 underline underline-offset-2 hover:text-ink"
          >
            All runs
          </Link>
        ) : null
      }
    >
      <ol aria-label="Recent runs" className="border-t border-line text-sm">
        {rows.slice(0, MAX_ROWS).map((run) => (
          <li
            key={run.id}
            className="relative flex items-center gap-3 border-b border-line px-1 py-2 transition-colors hover:bg-hover"
          >
            <StatusBadge status={run.status} progress={run.progress ?? null} />
            <Link
              to="/workflows/runs/$id"
              params={{ id: run.id }}
              search={{}}
              className="min-w-0 flex-1 truncate outline-none after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus"
            >
              {runSummary(run) ?? 'Open run'}
            </Link>
            <RelativeTime at={run.created_at} className="text-ink-3" />
            <Money amount_usd={run.usage.amount_usd} cents="up" className="w-14 text-right" />
          </li>
        ))}
      </ol>
    </Section>
  );
}
