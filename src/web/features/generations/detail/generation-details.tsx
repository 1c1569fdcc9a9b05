import type { Generation } from '#contract/resources/generation.ts';
import { AttemptsSection } from './attempts-section.tsx';
import { CostSection } from './cost-section.tsx';
import { GenerationDetailsActions } from './generation-details-actions.tsx';
import { FactsSection } from './facts-section.tsx';
import { LibraryActions } from '#web/media/library/library-actions.tsx';
import { InputSection } from '#web/forms/inputs/input-section.tsx';
import { GenerationOutcome } from './generation-outcome.tsx';
import { RawJson } from './raw-json.tsx';
import { UpstreamSection } from './upstream-section.tsx';

/** Everything about one generation: what came of it, what went in, what it cost, and where it belongs. */
export function GenerationDetails({ generation }: { generation: Generation }) {
  const kept = generation.output.assets.find(({ removed_at }) => !removed_at);
  return (
    <div className="flex flex-col gap-7">
      <div className="flex flex-col gap-3">
        <GenerationOutcome generation={generation} />
        <GenerationDetailsActions generation={generation} />
        {kept ? <LibraryActions asset={kept} /> : null}
      </div>
      <InputSection generation={generation} />
      <CostSection generation={generation} />
      <UpstreamSection generation={generation} />
      <AttemptsSection generation={generation} />
      <FactsSection generation={generation} />
      <RawJson generation={generation} />
    </div>
  );
}
