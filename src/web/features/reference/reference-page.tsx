import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { queryError } from '#web/api/api-errors.ts';
import { referenceQuery } from '#web/api/queries/reference.ts';
import { serviceVersionQuery } from '#web/api/queries/service-version.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { Page } from '#web/ui/page.tsx';
import { ConnectTools } from './connect-tools.tsx';
import { parseOpenApiDocument } from './parse-openapi-document.ts';
import { ReferenceView } from './reference-view.tsx';
import { Loading, Skeleton, SkeletonText } from '#web/ui/display/skeleton.tsx';
import { REFERENCE_PATH, referenceGridClass } from './reference-layout.ts';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';

const LINES = 14;

function ReferenceSkeleton() {
  return (
    <Loading label="Loading the API reference" className={referenceGridClass}>
      <span className="hidden flex-col gap-3 lg:flex">
        {Array.from({ length: LINES }, (_, line) => (
          <Skeleton key={line} className="h-4 w-40" />
        ))}
      </span>
      <span className="flex max-w-3xl flex-col gap-8">
        <SkeletonText lines={3} />
        <Skeleton className="h-40 w-full rounded-md" />
        <Skeleton className="h-64 w-full rounded-md" />
      </span>
    </Loading>
  );
}

const INTROS = {
  tools: 'Other tools and assistants order here, with a price, a budget and a ledger entry',
  reference: 'Everything in this dashboard, for programs',
} as const;
type Part = keyof typeof INTROS;
const PARTS = [
  { value: 'tools', label: 'Tools' },
  { value: 'reference', label: 'API reference' },
] as const;

export function ReferencePage() {
  const part = useLocation({
    select: ({ searchStr }): Part =>
      new URLSearchParams(searchStr).get('part') === 'reference' ? 'reference' : 'tools',
  });
  const navigate = useNavigate();
  const { data: serviceVersion } = useQuery(serviceVersionQuery);
  return (
    <Page
      title="Connect a tool"
      view={part === 'reference' ? 'API reference' : undefined}
      intro={[INTROS[part], ...(serviceVersion ? [`Emulsion ${serviceVersion}`] : [])].join(' · ')}
      width="full"
      actions={
        <a href="/openapi.json" target="_blank" rel="noreferrer" className={buttonClass()}>
          OpenAPI document
        </a>
      }
    >
      <SegmentedControl
        label="Show"
        value={part}
        options={PARTS}
        onChange={(value) => void navigate({ href: value === 'reference' ? REFERENCE_PATH : '/docs', replace: true })}
        className="mb-6"
      />
      {part === 'reference' ? <Reference /> : <ConnectTools />}
    </Page>
  );
}

function Reference() {
  const referenceRead = useQuery(referenceQuery);
  const { data, refetch } = referenceRead;
  const problem = queryError(referenceRead);
  const reference = useMemo(() => data && parseOpenApiDocument(data), [data]);
  if (!reference)
    return problem ? (
      <LoadError what="The API reference" error={problem} onRetry={() => void refetch()} />
    ) : (
      <ReferenceSkeleton />
    );
  return (
    <>
      <p className="mb-6 text-sm text-ink-3">
        {[
          `API version ${reference.version}`,
          ...(data?.info.license ? [`${data.info.license.name} license`] : []),
        ].join(' · ')}
      </p>
      <ReferenceView reference={reference} />
    </>
  );
}
