import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ExternalLink, FolderPlus, ImagePlus, PenLine } from 'lucide-react';
import { useState } from 'react';
import { createPageLink } from '#web/api/create-page-link.ts';
import { readLastModel } from '#web/api/last-model.ts';
import { findSlotTarget, type SlotTarget } from '#web/api/model-slots.ts';
import { modelsQuery, tasksQuery } from '#web/api/queries/catalog.ts';
import { useCannot } from '#web/api/queries/permissions.ts';
import { useSavePost } from '#web/api/queries/media-mutations.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Menu, MenuLink } from '#web/ui/overlays/menu.tsx';
import { showError } from '#web/ui/overlays/toast-error.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { postPosters } from './post-posters.ts';
import { promptFromPost } from './prompt-from-post.ts';
import type { SocialPost } from './read-output-data.ts';

interface PostActionsProps {
  post: SocialPost;
  /** Place among the posts of the search. */
  at: number;
  /** null: only the link to the post. */
  generationId: string | null;
}

const AddToCollectionDialog = lazyComponent(
  async () => (await import('../library/collections/add-to-collection-dialog.tsx')).AddToCollectionDialog,
);

const linkClass = buttonClass({ size: 'sm', variant: 'ghost' });
const iconClass = 'size-4';
const STYLE_SLOT = { task: 'image.create', field: 'reference_images' } as const;

/** The next steps with a post. */
export function PostActions({ post, at, generationId }: PostActionsProps) {
  const isForbidden = useCannot('work.create');
  const { data: tasks } = useQuery(tasksQuery);
  const { data: models } = useQuery(modelsQuery);
  const target = findSlotTarget([STYLE_SLOT], { tasks, models }, readLastModel);
  const canMake = generationId !== null && !isForbidden;
  return (
    <div className="flex flex-wrap items-center gap-0.5">
      {canMake && target ? <ReferenceAction post={post} at={at} generationId={generationId} target={target} /> : null}
      {canMake && promptFromPost(post) !== '' ? <PromptAction at={at} generationId={generationId} /> : null}
      {canMake && hasPicture(post) ? <SaveAction post={post} generationId={generationId} /> : null}
      {post.url ? (
        <a
          href={post.url}
          target="_blank"
          rel="noreferrer"
          aria-label={`Open the post of ${post.creator}`}
          data-tooltip={`Opens ${new URL(post.url).hostname} in a new tab`}
          className="ml-auto inline-flex size-7 flex-none items-center justify-center rounded-md text-ink-2 transition-colors hover:bg-hover hover:text-ink pointer-coarse:size-9"
        >
          <ExternalLink aria-hidden="true" className={iconClass} />
        </a>
      ) : null}
    </div>
  );
}

type ReferenceActionProps = Omit<PostActionsProps, 'generationId'> & { generationId: string; target: SlotTarget };

const referenceLabel = { 'aria-label': 'Use as reference', 'data-tooltip': 'Use as reference for an image' };

/** A sample has no link, so its picture is saved first. */
function ReferenceAction({ post, at, generationId, target }: ReferenceActionProps) {
  const navigate = useNavigate();
  const { isSample } = postPosters(post);
  const link = createPageLink(target.task, target.model);
  const save = useSavePost();
  const saveAndUse = async () => {
    try {
      const { media_ids } = await save.mutateAsync({ generationId, postId: post.id });
      await navigate({ ...link, search: { media: media_ids[0], fields: target.field } });
    } catch (error) {
      showError('The picture could not be added', error);
    }
  };
  const icon = <ImagePlus aria-hidden="true" className={iconClass} />;
  if (isSample)
    return (
      <Button
        size="sm"
        variant="ghost"
        icon={icon}
        busy={save.isPending}
        onClick={() => void saveAndUse()}
        {...referenceLabel}
      >
        Reference
      </Button>
    );
  if (!post.coverUrl) return null;
  return (
    <Link
      {...link}
      search={{ use: generationId, post: at, fields: target.field }}
      className={linkClass}
      {...referenceLabel}
    >
      {icon}
      Reference
    </Link>
  );
}

const hasPicture = (post: SocialPost) => post.coverUrl !== null || postPosters(post).isSample;

/** Saves the pictures of a post and adds them to a collection. */
function SaveAction({ post, generationId }: { post: SocialPost; generationId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const { mutateAsync: savePost } = useSavePost();
  const loadIds = async () => {
    const { media_ids, missing_count } = await savePost({ generationId, postId: post.id });
    if (missing_count > 0)
      showToast({ title: `${missing_count} of ${media_ids.length + missing_count} pictures could not be read` });
    return media_ids;
  };
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        icon={<FolderPlus aria-hidden="true" className={iconClass} />}
        aria-label="Save to a collection"
        data-tooltip="Save to a collection"
        onPointerEnter={AddToCollectionDialog.preload}
        onClick={() => setIsOpen(true)}
      >
        Save
      </Button>
      {isOpen ? (
        <AddToCollectionDialog
          title="Save to a collection"
          description={
            post.isCarousel ? 'Its pictures are saved to the library.' : 'Its picture is saved to the library.'
          }
          loadIds={loadIds}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </>
  );
}

const PROMPT_TASKS = [
  { task: 'image.create', label: 'For an image' },
  { task: 'video.create', label: 'For a video' },
] as const;

function PromptAction({ at, generationId }: { at: number; generationId: string }) {
  return (
    <Menu
      label="Write a prompt from this"
      align="start"
      renderTrigger={(props) => (
        <Button
          {...props}
          size="sm"
          variant="ghost"
          icon={<PenLine aria-hidden="true" className={iconClass} />}
          aria-label="Write a prompt from this"
          data-tooltip="Write a prompt from caption and tags"
        >
          Prompt
        </Button>
      )}
    >
      {PROMPT_TASKS.map(({ task, label }) => (
        <MenuLink
          key={task}
          link={<Link {...createPageLink(task)} search={{ use: generationId, post: at, fields: 'prompt' }} />}
        >
          {label}
        </MenuLink>
      ))}
    </Menu>
  );
}
