import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '#web/api/api-errors.ts';
import { useSaveStarter } from '#web/api/queries/workflow-starters.ts';
import { showToast } from '#web/ui/toast-store.ts';
import type { Editor } from './editor.ts';
import type { StarterDefinitionInput } from './editor-state.ts';
import { focusPath } from './focus-path.ts';
import { currentDefinition } from './use-starter-validation.ts';

/** Routes of the dashboard use these names in place of slugs. */
const RESERVED_SLUGS = ['new', 'runs'];

/** @param slug null for a new workflow */
export function useStarterSave(editor: Editor, slug: string | null, onSaved: () => void) {
  const { mutateAsync, isPending } = useSaveStarter();
  const [error, setError] = useState<Error | null>(null);
  const navigate = useNavigate();
  const showProblems = (problems: readonly { path: string; message: string }[]) => {
    editor.setProblems(problems);
    editor.showAll();
    const [first] = problems;
    // The problems take up space, so scrolling waits for them.
    if (first) requestAnimationFrame(() => focusPath(first.path));
  };
  const save = async () => {
    const definition = currentDefinition(editor.state());
    setError(null);
    editor.showAll();
    if (!definition || isPending) return;
    if (slug === null && RESERVED_SLUGS.includes(String(definition['slug'])))
      return showProblems([{ path: 'slug', message: 'This name is reserved. Choose another one.' }]);
    try {
      const saved = await mutateAsync({ slug, body: definition as StarterDefinitionInput });
      onSaved();
      showToast({ title: 'Workflow saved', detail: 'Everyone in your organization can run it.', tone: 'good' });
      await navigate({ to: '/workflows/$slug', params: { slug: saved.slug }, search: {} });
    } catch (cause) {
      if (cause instanceof ApiError && cause.details.length > 0) showProblems(cause.details);
      else setError(cause instanceof Error ? cause : new Error('The workflow could not be saved.'));
    }
  };
  return { save, isPending, error };
}
