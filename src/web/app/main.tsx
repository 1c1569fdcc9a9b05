import '#web/ui/styles/index.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createAppRouter } from './router.tsx';
import { connectSession } from '#web/api/session/connect-session.ts';
import { watchUrlForToken } from '#web/api/session/link-token.ts';
import { openDrafts } from '#web/api/drafts/draft-storage.ts';
import { getSession, syncSessionAcrossTabs } from '#web/api/session/session.ts';
import { createQueryClient } from './shell/query-client.ts';
import { prefetchPages } from './shell/prefetch-pages.ts';
import { startTheme } from '#web/ui/theme.ts';
import { refetchWhenReachable } from './shell/refetch-when-reachable.ts';

watchUrlForToken();
connectSession();
syncSessionAcrossTabs();
startTheme();

const queryClient = createQueryClient();
refetchWhenReachable(queryClient);
const router = createAppRouter(queryClient);
const root = document.getElementById('root');
if (root) {
  // The markup of index.html stays until the page is loaded. React then renders once, in slices that leave room for
  // input.
  void loadPage().finally(() =>
    startTransition(() =>
      createRoot(root).render(
        <StrictMode>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </StrictMode>,
      ),
    ),
  );
}

/** Pages read drafts while they render. */
async function loadPage(): Promise<void> {
  const owner = getSession()?.owner;
  if (owner) await openDrafts(owner);
  await router.load();
}

window.addEventListener('load', () => prefetchPages(router));
