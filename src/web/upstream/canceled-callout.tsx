import { Link } from '@tanstack/react-router';
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
  return (
    <div className="flex flex-col gap-3">
      {/* The result appears seconds after the cancel. */}
      <output className="block">
        <Callout title={has_result ? 'Canceled after it finished' : 'Canceled before it finished'} action={action}>
          {error ? `${error.message} ` : ''}
          {has_result ? <KeptResult output={output} /> : null}
          {usage.billing_status === 'released' ? 'Nothing was charged. ' : ''}
          {children}
        </Callout>
      </output>
      {has_result ? <GenerationOutputs generation={generation} max_height={max_height} /> : null}
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
