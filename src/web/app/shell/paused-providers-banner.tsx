import { Link } from '@tanstack/react-router';
import { CirclePause } from 'lucide-react';
import type { Me } from '#contract/resources/api-key.ts';

type PausedProviders = NonNullable<Me['providers']>['paused'];

export function PausedProvidersBanner({ paused }: { paused: PausedProviders }) {
  return (
    <output className="flex items-start gap-2.5 border-b border-line bg-amber-soft px-4 py-2 text-sm md:px-8">
      <CirclePause aria-hidden="true" className="mt-0.5 size-4 flex-none text-amber-text" />
      <span className="min-w-0 flex-1 wrap-anywhere">
        {paused.map(({ id, name, reason }) => (
          <span key={id} className="block">
            <strong className="font-semibold">{name} is paused</strong>
            {reason ? `: ${reason}` : '.'}
          </span>
        ))}
      </span>
      <Link to="/providers" className="flex-none font-medium underline underline-offset-2">
        Providers
      </Link>
    </output>
  );
}
