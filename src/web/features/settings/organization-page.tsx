import { RequireSession } from '#web/api/session/require-session.tsx';
import { Page } from '#web/ui/page.tsx';
import { CredentialsCard } from './credentials-card.tsx';
import { LogoCard } from './logo-card.tsx';
import { MembersCard } from './members-card.tsx';
import { OrganizationNameCard } from './organization-name-card.tsx';
import { SharingCard } from './sharing-card.tsx';
import { TagsCard } from './tags-card.tsx';

/** Settings that hold for everybody; only administrators change them. */
export function OrganizationPage() {
  return (
    <Page title="Organization" width="reading">
      <RequireSession to="change settings" permission="settings.manage">
        <div className="flex flex-col gap-4">
          <OrganizationNameCard />
          <MembersCard />
          <SharingCard />
          <LogoCard />
          <CredentialsCard />
          <TagsCard />
        </div>
      </RequireSession>
    </Page>
  );
}
