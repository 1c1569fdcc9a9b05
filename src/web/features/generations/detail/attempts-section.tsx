import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatUsd } from '#contract/money/money.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { netCost } from '#web/forms/money/net-cost.ts';
import { attemptsQuery } from '#web/api/queries/attempts.ts';
import { cx } from '#web/ui/cx.ts';
import { Money } from '#web/api/money.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { StatusBadge } from '#web/ui/display/status-badge.tsx';
import { Section } from '#web/ui/display/section.tsx';

export function AttemptsSection({ generation }: { generation: Generation }) {
  const { data: attempts = [] } = useQuery(attemptsQuery(generation));
  if (attempts.length < 2) return null;
  const total = attempts.reduce((sum, attempt) => sum + netCost(attempt.usage), 0n);
  return (
    <Section
      title="Attempts"
      aside={
        <span className="text-sm text-ink-3">
          <Money amount_usd={formatUsd(total)} /> total
        </span>
      }
    >
      <ol className="border-t border-line text-sm">
        {attempts.map((attempt, index) => {
          const isThis = attempt.id === generation.id;
          const { status, progress, created_at } = isThis ? generation : attempt;
          return (
            <li
              key={attempt.id}
              className={cx(
                'relative flex items-center gap-3 border-b border-line px-2 py-2',
                isThis ? 'bg-hover' : 'hover:bg-hover',
              )}
            >
              <span className="w-4 text-right text-ink-3 tabular-nums">{index + 1}</span>
              <StatusBadge status={status} progress={progress} />
              <span className="min-w-0 flex-1 truncate text-ink-3">
                {isThis ? (
                  <span aria-current="true">This attempt</span>
                ) : (
                  <Link
                    to="/generations/$id"
                    params={{ id: attempt.id }}
                    search={(search) => search}
                    resetScroll={false}
                    className="text-ink underline-offset-2 after:absolute after:inset-0 hover:underline"
                  >
                    Open attempt {index + 1}
                  </Link>
                )}
              </span>
              <RelativeTime at={created_at} className="text-ink-3" />
              <Money amount_usd={formatUsd(netCost(attempt.usage))} className="w-18 text-right" />
            </li>
          );
        })}
      </ol>
    </Section>
  );
}
