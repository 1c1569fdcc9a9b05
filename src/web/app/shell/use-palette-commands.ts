import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { AudioLines, Box, Clapperboard, Image, LogOut, type LucideIcon, Settings, Workflow } from 'lucide-react';
import { TASKS } from '#contract/catalog.ts';
import type { TaskId } from '#contract/ids.ts';
import type { MediaKind } from '#contract/task.ts';
import { knownTasks, modelsForTask } from '#web/api/known-models.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { modelDescription } from '#web/api/model-names.ts';
import { modelsQuery, tasksQuery } from '#web/api/queries/catalog.ts';
import { useCan, useCannot } from '#web/api/queries/permissions.ts';
import { startersQuery } from '#web/api/queries/workflow-starters.ts';
import { signOut, useSession } from '#web/api/session/session.ts';
import type { Command } from '#web/ui/hooks/commands.ts';
import { writePrompt } from './focus-prompt.ts';

const MEDIA_ICONS = { image: Image, video: Clapperboard, audio: AudioLines } satisfies Record<MediaKind, LucideIcon>;
const MIN_PROMPT_LETTERS = 3;

/** Tasks, models, workflows, places and actions, beside the commands of the page. */
export function usePaletteCommands(): Command[] {
  const router = useRouter();
  const names = useCatalogNames();
  const signedIn = useSession() === 'signed_in';
  const { data: tasks } = useQuery(tasksQuery);
  const { data: models } = useQuery(modelsQuery);
  const canRead = useCan('work.read');
  const { data: starters } = useQuery({ ...startersQuery, enabled: signedIn && canRead });
  const cannotCreate = useCannot('work.create');
  const open = (to: string) => () => void router.navigate({ href: to });

  const isOffered = (task: TaskId) => tasks?.find(({ id }) => id === task)?.available !== false;
  const taskCommands = knownTasks()
    .filter(isOffered)
    .map((task): Command => ({
      group: 'Create',
      label: names.task(task),
      words: TASKS[task].search_words,
      icon: MEDIA_ICONS[TASKS[task].media_type],
      run: () => void router.navigate(createPageLink(task)),
    }));
  const modelCommands = (models ?? []).flatMap(({ id, available }): Command[] => {
    const task = knownTasks().find((each) => modelsForTask(each).includes(id));
    if (!available || !task) return [];
    const words = `${names.task(task)} ${modelDescription(id, models) ?? ''}`;
    const run = () => void router.navigate(createPageLink(task, id));
    return [{ group: 'Models', label: names.model(id), words, icon: Box, run }];
  });
  const workflows = (starters ?? []).map(({ slug, name, description }): Command => ({
    group: 'Workflows',
    label: name,
    words: description.slice(0, 200),
    icon: Workflow,
    run: open(`/workflows/${slug}`),
  }));
  const places = PLACES.map(({ label, to, words }): Command => ({
    group: 'Go to',
    label,
    words,
    icon: Settings,
    run: open(to),
  }));
  return [
    ...(cannotCreate ? [] : [...taskCommands, ...modelCommands]),
    ...workflows,
    ...(signedIn ? places : []),
    ...(signedIn ? [{ group: 'General', label: 'Sign out', words: 'log out leave', icon: LogOut, run: signOut }] : []),
  ];
}

/** Commands that take what was typed as a prompt. */
export function usePromptCommands(text: string): Command[] {
  const router = useRouter();
  const cannotCreate = useCannot('work.create');
  const prompt = text.trim();
  if (cannotCreate || prompt.length < MIN_PROMPT_LETTERS || /^gen_[0-9a-z]{26}$/.test(prompt)) return [];
  const command = (task: TaskId, what: string, icon: LucideIcon): Command => ({
    group: 'Generate',
    label: `Generate “${prompt}” as ${what}`,
    icon,
    run: () => void writePrompt(router, task, prompt),
  });
  return [command('image.create', 'an image', Image), command('video.create', 'a video', Clapperboard)];
}

/** Places within pages, which have no entry in the navigation. */
const PLACES = [
  { label: 'Theme and appearance', to: '/device', words: 'settings dark light look' },
  { label: 'Notifications', to: '/device', words: 'settings sound browser done' },
  { label: 'Your account', to: '/account', words: 'settings profile name mail passkeys sessions password' },
  { label: 'Shared links', to: '/library/shares', words: 'share client approval' },
  { label: 'Runs', to: '/workflows?part=runs', words: 'workflow history' },
  { label: 'Ledger', to: '/billing?part=ledger', words: 'billing entries charges' },
  { label: 'Trash', to: '/library/trash', words: 'deleted files restore' },
] as const;
