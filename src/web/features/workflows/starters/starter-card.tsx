import { Link } from '@tanstack/react-router';
import { ChevronRight, CircleAlert } from 'lucide-react';
import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import { Badge } from '#web/ui/badge.tsx';
import { tooltipProps } from '#web/ui/tooltip-props.ts';
import { MEDIA_ICONS } from '../steps/task-icons.ts';
import { StarterCover } from './starter-cover.tsx';
import { exampleText, formatStarterOutputs, formatPriceFrom, sourceLabel } from './starter-labels.ts';

const MAX_STEPS = 6;

export function StarterCard({ starter, key_id }: { starter: WorkflowStarter; key_id: string | undefined }) {
  const { slug, name, description, steps, source, makes, available = true, unavailable_reason } = starter;
  const example = exampleText(starter);
  const outputs = formatStarterOutputs(starter);
  const label = sourceLabel(starter, key_id);
  return (
    <article className="relative flex w-full min-w-0 flex-col overflow-hidden rounded-md border border-line bg-surface transition-colors hover:border-line-strong has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-focus">
      <StarterCover steps={steps} />
      <div className="flex flex-1 flex-col p-4">
        <div className="flex items-start justify-between gap-3">
          <h2 className="min-w-0 text-md font-semibold wrap-anywhere">
            <Link to="/workflows/$slug" params={{ slug }} className="outline-none after:absolute after:inset-0">
              {name}
            </Link>
          </h2>
          {label ? (
            <span {...tooltipProps(label.description)} className="relative z-1 mt-0.5 flex-none">
              <Badge tone={source === 'own' ? 'amber' : 'neutral'}>{label.label}</Badge>
            </span>
          ) : null}
        </div>
        <p dir="auto" className="mt-1 line-clamp-3 whitespace-pre-line text-ink-2 wrap-anywhere">
          {description}
        </p>
        <ol aria-label="Steps" className="mt-3 flex flex-wrap items-center gap-x-1 gap-y-1.5 text-sm text-ink-2">
          {steps.slice(0, MAX_STEPS).map((step, at) => (
            <li key={step.key} className="flex max-w-full min-w-0 items-center gap-1">
              {at > 0 ? <ChevronRight aria-hidden="true" className="size-3.5 flex-none text-ink-3" /> : null}
              <span className="min-w-0 wrap-anywhere">{step.name}</span>
            </li>
          ))}
          {steps.length > MAX_STEPS ? <li className="text-ink-3">and {steps.length - MAX_STEPS} more</li> : null}
        </ol>
        {example ? (
          <p dir="auto" className="mt-3 line-clamp-4 text-sm whitespace-pre-line text-ink-3">
            Example: <q>{example}</q>
          </p>
        ) : null}
        <div className="mt-auto flex items-start gap-3 pt-4">
          {outputs ? (
            <p className="flex min-w-0 items-start gap-1.5 text-sm text-ink-2">
              {makes?.map((kind) => {
                const Icon = MEDIA_ICONS[kind];
                return (
                  <Icon key={kind} aria-hidden="true" className="mt-0.5 size-4 flex-none stroke-[1.5] text-ink-3" />
                );
              })}
              <span>{outputs}</span>
            </p>
          ) : null}
          <p className="ml-auto flex-none font-medium tabular-nums">{formatPriceFrom(starter)}</p>
        </div>
        {available ? null : (
          <p className="mt-3 flex gap-1.5 border-t border-line pt-3 text-sm text-ink-2">
            <CircleAlert aria-hidden="true" className="mt-0.5 size-4 flex-none text-amber-text" />
            {unavailable_reason ?? 'This can’t run right now.'}
          </p>
        )}
      </div>
    </article>
  );
}
