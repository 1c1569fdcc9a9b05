import { Link } from '@tanstack/react-router';
import { Boxes } from 'lucide-react';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { useIsAdministrator } from './queries/me.ts';
import { useCan } from './queries/permissions.ts';

/** Leads to the models that an administrator added; nothing for others. */
export function AddedModelsLink() {
  const canManage = useCan('models.manage');
  const isAdministrator = useIsAdministrator();
  if (!canManage || !isAdministrator) return null;
  return (
    <Link to="/added-models" className={buttonClass()}>
      <Boxes aria-hidden="true" className="size-4" />
      Added models
    </Link>
  );
}
