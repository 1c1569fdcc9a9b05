import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { workTitle } from '#web/forms/inputs/describe-input.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Progress } from '#web/ui/display/progress.tsx';
import { type BulkAction, clearBulkAction, resumeBulkAction, stopBulkAction, useBulkAction } from './bulk-action.ts';

const LABELS = {
  cancel: { running: 'Canceling', done: 'canceled', failed: 'not canceled' },
  retry: { running: 'Retrying', done: 'started again', failed: 'not started' },
} as const;
const MAX_LISTED = 20;

/** Shows how far a bulk action is, and afterwards what failed and why. */
export function BulkActionBar() {
  const client = useQueryClient();
  const action = useBulkAction();
  if (!action) return null;
  const { kind, total, succeeded, failures, state, problem } = action;
  const done = succeeded + failures.length;
  const labels = LABELS[kind];
  const summary = `${formatNumber(succeeded)} of ${formatNumber(total)} ${labels.done}`;
  return (
    <div className="mb-3">
      <Callout
        tone={state === 'running' ? 'info' : problem ? 'bad' : failures.length > 0 || done < total ? 'amber' : 'good'}
        title={state === 'running' ? `${labels.running} ${formatNumber(total)}… ${formatNumber(done)} done` : summary}
        action={
          state === 'running' ? (
            <Button size="sm" onClick={stopBulkAction}>
              Stop
            </Button>
          ) : (
            <span className="flex items-center gap-1">
              {state === 'stopped' ? (
                <Button size="sm" onClick={() => void resumeBulkAction(client)}>
                  Continue with {formatNumber(total - done)}
                </Button>
              ) : null}
              <IconButton
                size="sm"
                label="Dismiss"
                icon={<X aria-hidden="true" className="size-4" />}
                onClick={clearBulkAction}
              />
            </span>
          )
        }
      >
        {state === 'running' ? (
          <Progress value={done / total} label={`${labels.running} ${total}`} className="mt-1.5 w-full" />
        ) : null}
        {problem ? <p>{problem}</p> : null}
        {failures.length > 0 ? <Failures action={action} /> : null}
      </Callout>
      <output className="sr-only">{state === 'running' ? '' : summary}</output>
    </div>
  );
}

function Failures({ action: { kind, failures } }: { action: BulkAction }) {
  const names = useCatalogNames();
  return (
    <details className="mt-1">
      <summary className="cursor-pointer">
        {formatNumber(failures.length)} {LABELS[kind].failed}
      </summary>
      <ul className="mt-1 max-h-48 overflow-y-auto">
        {failures.slice(0, MAX_LISTED).map(({ generation, message }) => (
          <li key={generation.id} className="truncate">
            <Link
              to="/generations/$id"
              params={{ id: generation.id }}
              search={(search) => search}
              className="underline"
            >
              {workTitle(generation, names).slice(0, 60)}
            </Link>
            : {message}
          </li>
        ))}
        {failures.length > MAX_LISTED ? <li>and {formatNumber(failures.length - MAX_LISTED)} more</li> : null}
      </ul>
    </details>
  );
}
