import { Clapperboard, Eye, Heart, Images } from 'lucide-react';
import { useState } from 'react';
import { clock, type FoundPost, type OutputData, readPosts } from '#web/outputs/read-output-data.ts';
import { RelativeTime } from '#web/ui/relative-time.tsx';

const compact = new Intl.NumberFormat('en', { notation: 'compact' });

/** Posts that a search found; they open on their own site. */
export function SearchResults({ data }: { data: OutputData }) {
  const posts = readPosts(data);
  if (posts.length === 0)
    return (
      <p className="frame-marks px-6 py-12 text-center text-ink-2">
        Nothing was found. Use fewer or other words, or loosen the filters.
      </p>
    );
  return (
    <ul aria-label={`${posts.length} posts found`} className="divide-y divide-line border-y border-line">
      {posts.map((post) => (
        <Post key={post.id} post={post} />
      ))}
    </ul>
  );
}

function Post({ post }: { post: FoundPost }) {
  const { url, caption, creator, hashtags, duration_seconds, published_at, views, likes } = post;
  const title = caption ?? 'Without a caption';
  return (
    <li className="flex gap-3 py-3">
      <PostPicture post={post} />
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 font-medium wrap-anywhere">
          {url ? (
            <a href={url} target="_blank" rel="noreferrer" className="underline-offset-2 hover:underline">
              {title}
            </a>
          ) : (
            title
          )}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-sm text-ink-3 tabular-nums">
          <span className="max-w-48 truncate text-ink-2">{creator}</span>
          {published_at ? <RelativeTime at={published_at} /> : null}
          {duration_seconds === null ? null : <span>{clock(duration_seconds)}</span>}
          {views === null ? null : (
            <Count icon={<Eye aria-hidden="true" className="size-3.5" />} label="views" count={views} />
          )}
          {likes === null ? null : (
            <Count icon={<Heart aria-hidden="true" className="size-3.5" />} label="likes" count={likes} />
          )}
        </p>
        {hashtags.length > 0 ? (
          <p className="mt-0.5 truncate text-xs text-ink-3">
            {hashtags.map((tag) => `#${tag.replace(/^#/, '')}`).join(' ')}
          </p>
        ) : null}
      </div>
    </li>
  );
}

function PostPicture({ post: { picture_url, is_carousel } }: { post: FoundPost }) {
  const [failed, setFailed] = useState(false);
  const Icon = is_carousel ? Images : Clapperboard;
  return (
    <span className="relative flex h-16 w-12 flex-none items-center justify-center overflow-hidden rounded-sm bg-hover text-ink-3">
      {picture_url && !failed ? (
        <img
          src={picture_url}
          alt=""
          loading="lazy"
          referrerPolicy="no-referrer"
          className="absolute inset-0 size-full object-cover"
          onError={() => setFailed(true)}
        />
      ) : (
        <Icon aria-hidden="true" className="size-5 stroke-[1.5]" />
      )}
    </span>
  );
}

function Count({ icon, label, count }: { icon: React.ReactNode; label: string; count: number }) {
  return (
    <span className="flex items-center gap-1">
      {icon}
      {compact.format(count)} <span className="sr-only">{label}</span>
    </span>
  );
}
