import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BookOpen, Braces } from 'lucide-react';
import { referenceQuery } from '#web/api/queries/reference.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { SettingsRows } from './settings-rows.tsx';

/** Which version this is, under which licence, and where to read on. */
export function AboutCard() {
  const { data, isPending } = useQuery(referenceQuery);
  const waiting = isPending ? <Skeleton className="h-4 w-16" /> : 'Not known';
  return (
    <Card
      title="About Emulsion"
      description="A self-hosted studio for making images, video and audio with many models."
      footer={
        <>
          <Link to="/docs" className={buttonClass()}>
            <BookOpen aria-hidden="true" className="size-4" />
            API reference
          </Link>
          <a href="/openapi.json" target="_blank" rel="noreferrer" className={buttonClass({ variant: 'ghost' })}>
            <Braces aria-hidden="true" className="size-4" />
            OpenAPI file
          </a>
        </>
      }
    >
      <SettingsRows
        rows={[
          { name: 'Service version', value: data?.info.version ?? waiting },
          { name: 'Licence', value: data?.info.license?.name ?? waiting },
        ]}
      />
    </Card>
  );
}
