import { CircleCheck, CirclePause, CircleX, PencilLine, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AddedModelState, AddedModelSummary } from '#contract/resources/added-model.ts';
import { Badge, type Tone } from '#web/ui/display/badge.tsx';

const STATES = {
  draft: { label: 'Draft', tone: 'neutral', icon: <PencilLine aria-hidden="true" /> },
  published: { label: 'Published', tone: 'good', icon: <CircleCheck aria-hidden="true" /> },
  paused: { label: 'Paused', tone: 'amber', icon: <CirclePause aria-hidden="true" /> },
  removed: { label: 'Removed', tone: 'neutral', icon: <CircleX aria-hidden="true" /> },
} satisfies Record<AddedModelState, { label: string; tone: Tone; icon: ReactNode }>;

/** The state of a model, and whether its provider changed it. */
export function ModelStateBadges({ state, drift }: Pick<AddedModelSummary, 'state' | 'drift'>) {
  const { label, tone, icon } = STATES[state];
  return (
    <>
      <Badge tone={tone} icon={icon}>
        {label}
      </Badge>
      {drift ? (
        <Badge tone="amber" icon={<TriangleAlert aria-hidden="true" />}>
          Changed at the provider
        </Badge>
      ) : null}
    </>
  );
}
