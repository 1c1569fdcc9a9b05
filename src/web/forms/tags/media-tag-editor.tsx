import { useState } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { useChangeLabels } from '#web/api/queries/media-mutations.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { formatFileCount } from '#web/media/library/media-labels.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { countLabels } from './common-labels.ts';
import { OrderTags } from './order-tags.tsx';
import { TagEditor } from './tag-editor.tsx';

interface MediaTagEditorProps {
  media: readonly Pick<MediaItem, 'id' | 'labels' | 'generation'>[];
  /** A tag leads to the files that have it. */
  showsLinks?: boolean;
}

/** The tags of files, to remove, and a field that adds one to all of them. */
export function MediaTagEditor(props: MediaTagEditorProps) {
  return <MediaTags {...props} editing={useTagEditing(props.media)} />;
}

type TagEditing = ReturnType<typeof useTagEditing>;

function useTagEditing(media: MediaTagEditorProps['media']) {
  const [text, setText] = useState('');
  const { mutate, isPending, error } = useChangeLabels();
  const mediaIds = media.map(({ id }) => id);
  return {
    text,
    setText,
    isPending,
    error: error?.message,
    /** Keeps the text where it is refused. */
    add(tag = text, onAdded?: () => void) {
      if (isPending || tag.trim() === '') return;
      const onSuccess = () => {
        setText('');
        onAdded?.();
      };
      mutate({ mediaIds, add: [tag.trim()] }, { onSuccess });
    },
    remove: (removed: string) => mutate({ mediaIds, remove: [removed] }),
  };
}

function MediaTags({ media, showsLinks = false, editing }: MediaTagEditorProps & { editing: TagEditing }) {
  const canChange = useCan('work.create');
  const tags = countLabels(media).map(({ label, count }) => ({
    label,
    count: count < media.length ? count : undefined,
  }));
  return (
    <div className="flex flex-col gap-3">
      <OrderTags ofOrders={media.map(({ generation }) => generation?.tags)} showsLinks={showsLinks} />
      <TagEditor tags={tags} showsLinks={showsLinks} editing={canChange ? editing : null} />
    </div>
  );
}

interface MediaTagsDialogProps {
  media: MediaTagEditorProps['media'];
  onClose: () => void;
}

export function MediaTagsDialog({ media, onClose }: MediaTagsDialogProps) {
  const editing = useTagEditing(media);
  return (
    <Dialog
      open
      size="sm"
      title="Tags"
      description={formatFileCount(media.length)}
      onClose={onClose}
      footer={
        <Button
          variant="primary"
          busy={editing.isPending}
          onClick={() => (editing.text.trim() === '' ? onClose() : editing.add(undefined, onClose))}
        >
          Done
        </Button>
      }
    >
      <MediaTags media={media} editing={editing} />
    </Dialog>
  );
}
