import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';

export const BackToBatchesLink = () => (
  <Link
    to="/batches"
    className="-mt-2 mb-3 flex w-fit items-center gap-1.5 rounded-sm text-sm text-ink-2 hover:text-ink pointer-coarse:min-h-11"
  >
    <ArrowLeft aria-hidden="true" className="size-4" />
    All batches
  </Link>
);
