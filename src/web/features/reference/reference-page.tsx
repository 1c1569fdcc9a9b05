import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryError } from '#web/api/api-errors.ts';
import { referenceQuery } from '#web/api/queries/reference.ts';
import { serviceVersionQuery } from '#web/api/queries/service-version.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Page } from '#web/ui/page.tsx';
import { parseOpenApiDocument } from './parse-openapi-document.ts';
import { ReferenceView } from './reference-view.tsx';
import { Loading, Skeleton, SkeletonText } from '#web/ui/skeleton.tsx';
import { referenceGridClass } from './reference-layout.ts';

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

export function ReferencePage() {
  const referenceRead = useQuery(referenceQuery);
  const { data, refetch } = referenceRead;
  const { data: serviceVersion } = useQuery(serviceVersionQuery);
  const problem = queryError(referenceRead);
  const reference = useMemo(() => data && parseOpenApiDocument(data), [data]);
  return (
    <Page
      title="API and MCP"
      intro={[
        'Everything in this dashboard, for programs and assistants',
        ...(serviceVersion ? [`Emulsion ${serviceVersion}`] : []),
        ...(reference ? [`API version ${reference.version}`] : []),
        ...(data?.info.license ? [`${data.info.license.name} license`] : []),
      ].join(' · ')}
      width="full"
      actions={
        <a href="/openapi.json" target="_blank" rel="noreferrer" className={buttonClass()}>
          OpenAPI document
        </a>
      }
    >
      {reference ? (
        <ReferenceView reference={reference} />
      ) : problem ? (
        <LoadError what="The API reference" error={problem} onRetry={() => void refetch()} />
      ) : (
        <ReferenceSkeleton />
      )}
    </Page>
  );
}
