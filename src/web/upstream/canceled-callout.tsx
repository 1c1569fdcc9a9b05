import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Generation } from '#contract/resources/generation.ts';
import { GenerationOutputs } from '#web/media/outputs/generation-outputs.tsx';
import { Callout } from '#web/ui/display/callout.tsx';

interface CanceledCalloutProps {
  generation: Generation;
  maxHeight?: string | undefined;
  action?: ReactNode;
  /** What becomes of the settings, as a sentence. */
  children: string;
}

/** A canceled generation, with its result if the provider had finished before the cancel reached it. */
export function CanceledCallout({ generation, maxHeight, action, children }: CanceledCalloutProps) {
  const { error, usage, output } = generation;
  const hasResult = output.assets.length > 0 || output.data !== null || output.files !== undefined;
  return (
    <div className="flex flex-col gap-3">
      {/* The result appears seconds after the cancel. */}
      <output className="block">
        <Callout title={hasResult ? 'Canceled after it finished' : 'Canceled before it finished'} action={action}>
          {error ? `${error.message} ` : ''}
          {hasResult ? <KeptResult output={output} /> : null}
          {usage.billing_status === 'released' ? 'Nothing was charged. ' : ''}
          {children}
        </Callout>
      </output>
      {hasResult ? <GenerationOutputs generation={generation} maxHeight={maxHeight} /> : null}
    </div>
  );
}

function KeptResult({ output: { assets } }: Pick<Generation, 'output'>) {
  const [asset] = assets;
  const reason = 'The provider had finished before the cancel reached it, so ';
  if (!asset) return `${reason}you keep the result. `;
  return (
    <>
      {reason}you keep the result here and in the{' '}
      <Link to="/library" search={{ item: asset.id }} className="text-ink underline underline-offset-2">
        library
      </Link>
      .{' '}
    </>
  );
}
