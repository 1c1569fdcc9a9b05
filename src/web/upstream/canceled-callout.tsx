import type { ReactNode } from 'react';
import type { Generation } from '#contract/resources/generation.ts';
import { GenerationOutputs } from '#web/media/outputs/generation-outputs.tsx';
import { Callout } from '#web/ui/callout.tsx';

interface CanceledCalloutProps {
  generation: Generation;
  max_height?: string | undefined;
  action?: ReactNode;
  /** What becomes of the settings, as a sentence. */
  children: string;
}

/** A canceled generation, with its result if the provider had finished before the cancel reached it. */
export function CanceledCallout({ generation, max_height, action, children }: CanceledCalloutProps) {
  const { error, usage, output } = generation;
  const has_result = output.assets.length > 0 || output.data !== null;
  const callout = (
    <Callout title={has_result ? 'Canceled after it finished' : 'Canceled before it finished'} action={action}>
      {error ? `${error.message} ` : ''}
      {has_result ? 'The provider was faster, so you keep the result. ' : ''}
      {usage.billing_status === 'released' ? 'Nothing was charged. ' : ''}
      {children}
    </Callout>
  );
  if (!has_result) return callout;
  return (
    <div className="flex flex-col gap-3">
      {callout}
      <GenerationOutputs generation={generation} max_height={max_height} />
    </div>
  );
}
