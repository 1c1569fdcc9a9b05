import type { Generation } from '#contract/resources/generation.ts';
import type { Review } from '#contract/resources/review.ts';
import { AssetView } from '#web/media/outputs/asset-view.tsx';
import { DownloadLink } from '#web/media/outputs/download-link.tsx';
import { SearchResults } from '#web/media/outputs/search-results.tsx';
import { cx } from '#web/ui/cx.ts';
import { Section } from '#web/ui/section.tsx';

/** The provider's output. Other keys cannot see it before it is approved. */
export function ReviewOutputs({ generation: { task }, review: { output, decision } }: ReviewOutputsProps) {
  const { assets, data } = output;
  const title = decision?.decision === 'approve' ? 'Result' : 'Received result';
  if (task === 'social.search' && data)
    return (
      <Section title={title}>
        <SearchResults data={data} />
      </Section>
    );
  if (assets.length === 0)
    return (
      <Section title={title}>
        <p className="frame-marks px-6 py-10 text-center text-sm text-ink-2">
          {decision === null
            ? 'No file was received. If you have the result, for example from the provider’s site, upload it when you approve.'
            : 'No files.'}
        </p>
      </Section>
    );
  const several = assets.length > 1;
  return (
    <Section title={title}>
      <ul className={cx('grid gap-3', several && 'sm:grid-cols-2')}>
        {assets.map((asset, at) => {
          const label = several ? `Received file ${at + 1}` : 'Received file';
          return (
            <li key={asset.id} className="min-w-0">
              <AssetView asset={asset} label={label} />
              <p className="mt-1 flex items-center justify-between text-xs text-ink-3">
                {asset.mime_type}
                <DownloadLink url={asset.url} label={`Download ${label.toLowerCase()}`} />
              </p>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

interface ReviewOutputsProps {
  generation: Generation;
  review: Review;
}
