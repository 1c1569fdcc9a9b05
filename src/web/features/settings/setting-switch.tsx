import type { Settings } from '#contract/resources/settings.ts';
import { useUpdateSettings } from '#web/api/queries/settings.ts';
import { Switch } from '#web/ui/controls/checkbox.tsx';
import { toastError } from '#web/ui/overlays/toast-error.ts';

interface SettingSwitchProps {
  settings: Settings;
  name: 'members_see_own_work_only' | 'sharing_enabled' | 'prompt_in_credentials';
  label: string;
  hint: string;
}

/** A setting that changes at once. */
export function SettingSwitch({ settings, name, label, hint }: SettingSwitchProps) {
  const { mutate, isPending, variables } = useUpdateSettings();
  return (
    <Switch
      label={label}
      hint={hint}
      checked={(isPending ? variables[name] : undefined) ?? settings[name]}
      onChange={(isOn) => mutate({ [name]: isOn }, { onError: toastError('Not changed') })}
    />
  );
}
