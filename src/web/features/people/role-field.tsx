import type { UseFormRegisterReturn } from 'react-hook-form';
import { ROLES } from '#contract/permissions.ts';
import { ROLE_LABELS } from '#web/api/role-labels.ts';
import { RadioCards } from '#web/ui/controls/radio-cards.tsx';

const OPTIONS = ROLES.toReversed().map((value) => ({
  value,
  label: ROLE_LABELS[value].label,
  hint: ROLE_LABELS[value].description,
}));

export const RoleField = ({ register }: { register: UseFormRegisterReturn }) => (
  <RadioCards label="Role" options={OPTIONS} register={register} />
);
