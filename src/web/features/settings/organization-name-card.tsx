import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_ORGANIZATION_NAME_LENGTH } from '#contract/limits.ts';
import { LoadingOrError } from '#web/api/load-error.tsx';
import { settingsQuery, useUpdateSettings } from '#web/api/queries/settings.ts';
import { FormDialog, useDialogForm } from '#web/forms/form-dialog.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';

export function OrganizationNameCard() {
  const settings = useQuery(settingsQuery);
  const [renaming, setRenaming] = useState(false);
  const { data } = settings;
  return (
    <Card title="Name" description="On statements, invitations and share pages.">
      {data ? (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="min-w-0 font-medium break-words">{data.organization_name}</p>
          <Button onClick={() => setRenaming(true)}>Rename</Button>
        </div>
      ) : (
        <LoadingOrError query={settings} what="Settings">
          <Skeleton className="h-10 w-full" />
        </LoadingOrError>
      )}
      {renaming && data ? <RenameDialog name={data.organization_name} onClose={() => setRenaming(false)} /> : null}
    </Card>
  );
}

function RenameDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { mutateAsync } = useUpdateSettings();
  const form = useDialogForm<{ name: string }>({ name });
  const { errors } = form.formState;
  return (
    <FormDialog
      form={form}
      size="sm"
      title="Rename the organization"
      submitLabel="Save"
      onSubmit={async (values) => {
        await mutateAsync({ organization_name: values.name.trim() });
        onClose();
      }}
      onClose={onClose}
    >
      <Field label="Name" error={errors.name?.message}>
        <TextInput
          {...form.register('name', { validate: (text) => text.trim() !== '' || 'Enter a name.' })}
          data-autofocus=""
          maxLength={MAX_ORGANIZATION_NAME_LENGTH}
          autoComplete="organization"
        />
      </Field>
    </FormDialog>
  );
}
