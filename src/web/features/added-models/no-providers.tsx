import { Link } from '@tanstack/react-router';
import { Plug } from 'lucide-react';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';

export const NoProviders = () => (
  <EmptyState
    icon={<Plug aria-hidden="true" />}
    title="Connect a provider first"
    actions={
      <Link to="/providers" className={buttonClass({ variant: 'primary' })}>
        Connect a provider
      </Link>
    }
  >
    Models come from fal, Replicate, ComfyUI, Comfy Cloud or a server that is compatible with OpenAI. None of them is
    connected.
  </EmptyState>
);
