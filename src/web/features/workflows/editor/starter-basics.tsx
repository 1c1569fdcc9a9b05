import { TextInput, TextArea } from '#web/ui/text-input.tsx';
import { useEditor, useEditorState } from './editor-context.ts';
import { slugify } from './editor-state.ts';
import { PathField } from './path-field.tsx';

/** @param fixed the slug can't be changed, because runs and API calls use it */
export function StarterBasics({ fixed }: { fixed: boolean }) {
  const editor = useEditor();
  const name = useEditorState((state) => state.name);
  const slug = useEditorState((state) => state.slug);
  const description = useEditorState((state) => state.description);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <PathField label="Name" required path="name">
        <TextInput
          value={name}
          placeholder="Product clip"
          onChange={({ target: { value } }) =>
            editor.change((state) => ({ ...state, name: value, ...(state.slugTyped ? {} : { slug: slugify(value) }) }))
          }
        />
      </PathField>
      <PathField
        label="URL name"
        required
        path="slug"
        hint={
          fixed
            ? 'Can’t be changed: runs and API calls use it.'
            : 'Used in links and API calls. Can’t be changed later.'
        }
      >
        <TextInput
          value={slug}
          disabled={fixed}
          spellCheck={false}
          autoCapitalize="off"
          className="font-mono text-sm"
          onChange={({ target: { value } }) =>
            editor.change((state) => ({ ...state, slug: value, slugTyped: value !== '' }))
          }
        />
      </PathField>
      <PathField label="Description" optional path="description" className="sm:col-span-2">
        <TextArea
          rows={2}
          value={description}
          placeholder="What this workflow creates"
          onChange={({ target: { value } }) => editor.change((state) => ({ ...state, description: value }))}
        />
      </PathField>
    </div>
  );
}
