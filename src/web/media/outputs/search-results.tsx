import { Clapperboard, ExternalLink, Eye, Heart, Images, MessageCircle, Share2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { serviceMediaSrc } from '#web/api/reference-info.ts';
import { formatTimecode, type SocialPost, type OutputData, readPosts } from './read-output-data.ts';
import { ContinueWithMenu } from './continue-with-menu.tsx';
import { lazily } from '#web/ui/formats.ts';
import { RelativeTime } from '#web/ui/relative-time.tsx';

const compactFormat = lazily(() => new Intl.NumberFormat('en', { notation: 'compact' }));

export interface SearchResultsProps {
  data: OutputData;
  generationId?: string;
}

export function SearchResults({ data, generationId }: SearchResultsProps) {
  const posts = readPosts(data);
  if (posts.length === 0)
    return (
      <p className="frame-marks px-6 py-12 text-center text-ink-2">No results. Try fewer words or other filters.</p>
    );
  return (
    <ul
      aria-label={`${posts.length} posts found`}
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-3"
    >
      {posts.map((post, at) => (
        <Post key={post.id} post={post}>
          {generationId !== undefined && post.cover_url ? (
            <ContinueWithMenu compact generationId={generationId} type="image" which={{ post: at }} />
          ) : null}
        </Post>
      ))}
    </ul>
  );
}

function Post({ post, children }: { post: SocialPost; children: ReactNode }) {
  const { url, caption, creator, hashtags, published_at, views, likes, comments, shares } = post;
  return (
    <li className="flex min-w-0 gap-3 rounded-md border border-line bg-surface p-2.5">
      <Cover post={post} />
      <div className="flex min-w-0 flex-1 flex-col">
        <p className="flex items-baseline gap-2 text-sm">
          <span dir="auto" className="min-w-0 truncate font-medium">
            {creator}
          </span>
          {published_at ? <RelativeTime at={published_at} className="flex-none text-xs text-ink-3" /> : null}
        </p>
        <p dir="auto" className="mt-0.5 line-clamp-3 text-sm wrap-anywhere text-ink-2">
          {caption ?? 'No caption'}
        </p>
        {hashtags.length > 0 ? (
          <p className="mt-0.5 truncate text-xs text-ink-3">
            {hashtags.map((tag) => `#${tag.replace(/^#/, '')}`).join(' ')}
          </p>
        ) : null}
        <div className="mt-auto flex items-center gap-1 pt-1.5">
          <p className="flex min-w-0 flex-1 flex-wrap gap-x-2.5 text-xs text-ink-3 tabular-nums">
            <Count icon={<Eye aria-hidden="true" className="size-3.5" />} label="views" count={views} />
            <Count icon={<Heart aria-hidden="true" className="size-3.5" />} label="likes" count={likes} />
            <Count icon={<MessageCircle aria-hidden="true" className="size-3.5" />} label="comments" count={comments} />
            <Count icon={<Share2 aria-hidden="true" className="size-3.5" />} label="shares" count={shares} />
          </p>
          {children}
          {url ? (
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              aria-label={`Open the post of ${creator}`}
              data-tooltip={`Opens ${new URL(url).hostname} in a new tab`}
              className="inline-flex size-7 flex-none items-center justify-center rounded-md text-ink-2 transition-colors hover:bg-hover hover:text-ink pointer-coarse:size-9"
            >
              <ExternalLink aria-hidden="true" className="size-4" />
            </a>
          ) : null}
        </div>
      </div>
    </li>
  );
}

/** Covers of other servers are not loaded, because those would learn who views the results. */
function Cover({ post: { cover_url, is_carousel, duration_seconds } }: { post: SocialPost }) {
  const [failed, setFailed] = useState(false);
  const Icon = is_carousel ? Images : Clapperboard;
  const src = cover_url ? serviceMediaSrc(cover_url) : null;
  return (
    <span className="relative flex aspect-3/4 w-20 flex-none items-center justify-center self-start overflow-hidden rounded-sm bg-hover text-ink-3">
      {src && !failed ? (
        <img
          src={src}
          alt=""
          loading="lazy"
          className="absolute inset-0 size-full object-cover"
          onError={() => setFailed(true)}
        />
      ) : (
        <Icon aria-hidden="true" className="size-5 stroke-[1.5]" />
      )}
      {duration_seconds === null ? null : (
        <span className="absolute right-1 bottom-1 rounded-xs bg-canvas px-1 text-2xs font-medium text-ink-2 tabular-nums">
          {formatTimecode(duration_seconds)}
        </span>
      )}
    </span>
  );
}

function Count({ icon, label, count }: { icon: ReactNode; label: string; count: number | null }) {
  if (count === null) return null;
  return (
    <span className="flex items-center gap-1">
      {icon}
      {compactFormat().format(count)} <span className="sr-only">{label}</span>
    </span>
  );
}
