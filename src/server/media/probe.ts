import type { MediaTools } from './media-tools.ts';

export interface MediaInfo {
  kind: 'image' | 'video' | 'audio';
  /** Sniffed from the content, never from a name or header. */
  mime_type: string;
  /** Without the dot. */
  extension: string;
  size_bytes: number;
  /** As displayed: rotation and sample aspect applied. */
  width: number | null;
  height: number | null;
  duration_seconds: number | null;
  fps: number | null;
  has_audio: boolean;
}

export type ProbeFile = (tools: MediaTools, file: string, options?: { signal?: AbortSignal }) => Promise<MediaInfo>;
