import { useQuery } from '@tanstack/react-query';
import { modelsQuery } from '#web/api/queries/catalog.ts';
import { ENGINE_LABELS } from '#web/forms/models/engine-labels.ts';
import { Badge } from '#web/ui/display/badge.tsx';

/** Marks a result as a preview where others are not: where all are, the badge of the model says it once. */
export function PreviewBadge() {
  const { data: models } = useQuery(modelsQuery);
  if (models?.every(({ engine }) => engine === 'preview') ?? true) return null;
  return <Badge hint={ENGINE_LABELS.preview.description}>{ENGINE_LABELS.preview.label}</Badge>;
}
