import { useEffect } from 'react';
import type { InputForm } from '#web/forms/input-form.ts';
import { listNamedReferences, renameMentions } from '#web/forms/reference-mentions.ts';

/** Keeps the names of references in the prompt true while references are moved or removed. */
export function useRenamedMentions(form: InputForm, field: string): void {
  useEffect(() => {
    const read = () => ({
      prompt: form.values()[field],
      references: listNamedReferences(form.contract, form.values()),
    });
    let before = read();
    return form.subscribe(() => {
      const { prompt, references } = read();
      const [earlier, is_same_prompt] = [before.references, prompt === before.prompt];
      before = { prompt, references };
      // Undo and presets replace the prompt together with its references.
      if (!is_same_prompt || typeof prompt !== 'string') return;
      const renamed = renameMentions(prompt, earlier, references);
      if (renamed !== prompt) form.setValue(field, renamed);
    });
  }, [form, field]);
}
