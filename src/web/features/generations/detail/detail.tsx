import type { Generation } from '#contract/resources/generation.ts';
import { AttemptsSection } from './attempts-section.tsx';
import { CostSection } from './cost-section.tsx';
import { DetailActions } from './detail-actions.tsx';
import { FactsSection } from './facts-section.tsx';
import { LibraryLine } from '#web/library/library-line.tsx';
import { InputSection } from '#web/inputs/input-section.tsx';
import { Outcome } from './outcome.tsx';
import { RawJson } from './raw-json.tsx';
import { UpstreamSection } from './upstream-section.tsx';

/** Everything about one generation: what came of it, what went in, what it cost, and where it belongs. */
export function Detail({ generation }: { generation: Generation }) {
  const kept = generation.output.assets.find(({ removed_at }) => !removed_at);
  return (
    <div className="flex flex-col gap-7">
      <div className="flex flex-col gap-3">
        <Outcome generation={generation} />
        <DetailActions generation={generation} />
        {kept ? <LibraryLine asset={kept} /> : null}
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
