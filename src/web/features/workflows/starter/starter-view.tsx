import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import { readWorkflowInput } from '#contract/workflows/workflow-input.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useCannot } from '#web/api/queries/permissions.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { Section } from '#web/ui/display/section.tsx';
import { tooltipProps } from '#web/ui/overlays/tooltip-props.ts';
import { formatStarterOutputs, sourceLabel } from '../starters/starter-labels.ts';
import { StepOutline } from '../steps/step-outline.tsx';
import { StarterForm } from './starter-form.tsx';
import { starterColumns } from './starter-skeleton.tsx';
import { Link, useNavigate } from '@tanstack/react-router';
import { useWorkflowRunList } from '#web/api/queries/workflow-runs.ts';
import { Money } from '#web/api/money.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { StatusBadge } from '#web/ui/display/status-badge.tsx';
import { runSummary } from '../runs/run-labels.ts';
import { Copy, History, PenLine, Trash2 } from 'lucide-react';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { MoreMenu, MenuItem } from '#web/ui/overlays/menu.tsx';
import { useDeleteStarter } from '#web/api/queries/workflow-starters.ts';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';

function StarterActions({ starter: { slug, name, source } }: { starter: WorkflowStarter }) {
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState(false);
  const isForbidden = useCannot('work.create');
  const own = source === 'own' && !isForbidden;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Link to="/workflows" search={{ part: 'runs', starter: slug }} className={buttonClass()}>
        <History aria-hidden="true" className="size-4" />
        Past runs
      </Link>
      {own ? (
        <Link to="/workflows/$slug/edit" params={{ slug }} className={buttonClass()}>
          <PenLine aria-hidden="true" className="size-4" />
          Edit
        </Link>
      ) : isForbidden ? null : (
        <Link to="/workflows/new" search={{ like: slug }} className={buttonClass()}>
          <Copy aria-hidden="true" className="size-4" />
          Duplicate and edit
        </Link>
      )}
      {own ? (
        <MoreMenu outlined label="More actions">
          <MenuItem
            icon={<Copy aria-hidden="true" />}
            onSelect={() => void navigate({ to: '/workflows/new', search: { like: slug } })}
          >
            Duplicate and edit
          </MenuItem>
          <MenuItem icon={<Trash2 aria-hidden="true" />} tone="danger" onSelect={() => setDeleting(true)}>
            Delete…
          </MenuItem>
        </MoreMenu>
      ) : null}
      {deleting ? <DeleteStarterDialog slug={slug} name={name} onClose={() => setDeleting(false)} /> : null}
    </div>
  );
}

const MAX_ROWS = 5;

function LatestRuns({ slug }: { slug: string }) {
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
            <Money amount_usd={run.usage.amount_usd} className="w-14 text-right" />
          </li>
        ))}
      </ol>
    </Section>
  );
}

export function StarterView({ starter }: { starter: WorkflowStarter }) {
  const { data: me } = useQuery(meQuery);
  const isForbidden = useCannot('work.create');
  const label = sourceLabel(starter, me?.key.id);
  const { name, description, source, steps, available = true, unavailable_reason, created_by } = starter;
  const schema = JSON.stringify(starter.input_schema);
  // The form is stable as long as the schema is.
  const read = useMemo(() => readWorkflowInput(JSON.parse(schema)), [schema]);
  return (
    <>
      <title>{`${name} · Workflows · Emulsion`}</title>
      <header className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-[1_1_20rem]">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 tabIndex={-1} className="text-xl font-semibold tracking-[-0.015em] wrap-anywhere outline-none">
              {name}
            </h1>
            {label ? (
              <span {...tooltipProps(label.description)}>
                <Badge tone={source === 'own' ? 'amber' : 'neutral'}>{label.label}</Badge>
              </span>
            ) : null}
          </div>
          <p dir="auto" className="mt-1 max-w-3xl whitespace-pre-line text-ink-2 wrap-anywhere">
            {description}
          </p>
        </div>
        <StarterActions starter={starter} />
      </header>
      <div className={starterColumns}>
        <div className="flex min-w-0 flex-col gap-5">
          {available ? null : (
            <Callout tone="amber" title="This workflow can’t run right now">
              {unavailable_reason} Your inputs are kept.
            </Callout>
          )}
          {isForbidden ? (
            <Callout title="You can’t run workflows">Your role can see this workflow and its runs.</Callout>
          ) : read.ok ? (
            <StarterForm starter={starter} contract={read.contract} />
          ) : (
            <Callout tone="bad" title="This form can’t be shown">
              {read.problems[0]?.message} The author of this workflow needs to fix it.
            </Callout>
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          <Section title="Steps" aside={<span className="text-sm text-ink-3">{formatStarterOutputs(starter)}</span>}>
            <StepOutline steps={steps} />
            {created_by ? (
              <p className="mt-3 text-sm text-ink-3">
                Saved by <bdi>{created_by.name}</bdi>.
              </p>
            ) : null}
          </Section>
          <LatestRuns slug={starter.slug} />
        </div>
      </div>
    </>
  );
}

interface DeleteStarterDialogProps {
  slug: string;
  name: string;
  onClose: () => void;
}

function DeleteStarterDialog({ slug, name, onClose }: DeleteStarterDialogProps) {
  const navigate = useNavigate();
  const { mutate, isPending, error } = useDeleteStarter();
  const deleteStarter = () =>
    mutate(slug, {
      onSuccess: () => {
        showToast({ title: 'Workflow deleted', detail: `“${name}” was deleted. Its runs are kept.` });
        void navigate({ to: '/workflows', search: {} });
      },
    });
  return (
    <ConfirmDialog
      title="Delete this workflow?"
      description={name}
      variant="danger"
      consequences={[
        'It can no longer be run, and API calls that use it fail.',
        'Past runs and their results are kept. Runs in progress continue.',
      ]}
      gravest="This can’t be undone. Export it as JSON first if you may need it again."
      cancelLabel="Keep workflow"
      confirmLabel="Delete workflow"
      busy={isPending}
      error={error}
      onConfirm={deleteStarter}
      onClose={onClose}
    />
  );
}
