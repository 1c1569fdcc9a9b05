import { useId } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { ROLES } from '#contract/permissions.ts';
import { ROLE_LABELS } from '#web/api/role-labels.ts';
import { Field } from '#web/ui/controls/field.tsx';

export function RoleField({ register }: { register: UseFormRegisterReturn }) {
  const id = useId();
  return (
    <Field label="Role" group>
      <div role="radiogroup" aria-label="Role" className="flex flex-col gap-2">
        {ROLES.toReversed().map((role) => (
          <label
            key={role}
            className="flex gap-3 rounded-md border border-line-strong px-3 py-2.5 transition-colors hover:bg-hover has-checked:border-amber has-checked:bg-amber-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              {...register}
              value={role}
              aria-labelledby={`${id}-${role}`}
              aria-describedby={`${id}-${role}-access`}
              className="mt-0.5 size-4 flex-none accent-(--amber) outline-none"
            />
            <span>
              <span id={`${id}-${role}`} className="block font-medium">
                {ROLE_LABELS[role].label}
              </span>
              <span id={`${id}-${role}-access`} className="block text-sm text-ink-2">
                {ROLE_LABELS[role].description}
              </span>
            </span>
          </label>
        ))}
      </div>
    </Field>
  );
}
