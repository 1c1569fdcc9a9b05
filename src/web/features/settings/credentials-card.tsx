import { useQuery } from '@tanstack/react-query';
import { queryError } from '#web/api/api-errors.ts';
import { LoadError, LoadingOrError } from '#web/api/load-error.tsx';
import { certificateQuery } from '#web/api/queries/credentials.ts';
import { settingsQuery } from '#web/api/queries/settings.ts';
import { Card } from '#web/ui/display/card.tsx';
import { ExactTime } from '#web/ui/display/relative-time.tsx';
import { DescriptionList } from '#web/ui/display/section.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { SettingSwitch } from './setting-switch.tsx';

/** What results state about themselves, and the certificate that signs it. */
export function CredentialsCard() {
  const settings = useQuery(settingsQuery);
  return (
    <Card
      title="Content credentials"
      description="Signed in every result: how it was made, from what, and whether it was changed since."
    >
      {settings.data ? (
        <div className="flex flex-col gap-4">
          <SettingSwitch
            settings={settings.data}
            name="prompt_in_credentials"
            label="State the prompt in content credentials"
            hint="Everybody who has a downloaded file can then read its prompt. Files made before stay as they are."
          />
          <Certificate />
        </div>
      ) : (
        <LoadingOrError query={settings} what="Settings">
          <Skeleton className="h-10 w-full" />
        </LoadingOrError>
      )}
    </Card>
  );
}

const KINDS = {
  self_made: 'Made by this installation. It proves that a file is unchanged, not who signed it.',
  operator: 'From the operator. It proves that a file is unchanged, and who signed it where its issuer is trusted.',
};

/** Parts of a name are on lines of their own. */
const formatName = (name: string) => name.replaceAll('\n', ', ');

function Certificate() {
  const query = useQuery(certificateQuery);
  const problem = queryError(query);
  if (problem) return <LoadError what="The certificate" error={problem} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return <Skeleton className="h-16 w-full" />;
  if (query.data === null) return null;
  const { kind, subject, issuer, expires_at, time_stamp_host } = query.data;
  return (
    <DescriptionList
      rows={[
        { name: 'Certificate', value: KINDS[kind] },
        ...(kind === 'operator'
          ? [
              { name: 'Subject', value: formatName(subject) },
              { name: 'Issuer', value: formatName(issuer) },
            ]
          : []),
        { name: 'Expires', value: <ExactTime at={expires_at} /> },
        ...(time_stamp_host === null ? [] : [{ name: 'Time stamps', value: time_stamp_host }]),
      ]}
    />
  );
}
