import { trimEnd } from '#contract/trim-end.ts';
import { encodeExtended } from 'content-disposition';
import { fileExtension, stripInvisibleCharacters, stripExtension } from '#server/platform/core/file-names.ts';
import { mediaFileStem, type NamedMedia } from '#server/studio/assets/media-name.ts';
import type { StoredMedia } from '#server/studio/assets/find-stored-media.ts';

/** Types that browsers show without running anything in them. SVG and documents are never stored and never inline. */
const INLINE_MIME_TYPES = /^(?:image\/(?:png|jpeg|webp|gif|avif)|video\/|audio\/)/;

/** A file without a generation is named by its file name alone. */
type NamedFile = NamedMedia | (Pick<NamedMedia, 'filename'> & { generation: null });

/**
 * Builds the Content-Disposition header of stored media. The extension follows the stored type: an image that was
 * uploaded as `invoice.html` must not open as a page once it is on a disk.
 */
export function contentDisposition(
  medium: NamedFile & Pick<StoredMedia, 'id' | 'mime_type' | 'storage_key'>,
  download: boolean,
): string {
  const kind = !download && INLINE_MIME_TYPES.test(medium.mime_type) ? 'inline' : 'attachment';
  const stem =
    medium.filename === null && medium.generation
      ? mediaFileStem(medium)
      : trimEnd(stripExtension(stripInvisibleCharacters(medium.filename ?? '')), '. ');
  const name = `${stem || `emulsion-${medium.id}`}${fileExtension(medium.storage_key)}`;
  return formatDisposition(kind, name);
}

/** The header of a file that is saved, never opened, under a name of any characters. */
export const attachment = (name: string): string =>
  formatDisposition('attachment', stripInvisibleCharacters(name).replaceAll(/[/\\]/g, '_'));

function formatDisposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["%\\]/g, '_');
  return `${kind}; filename="${plain}"${plain === name ? '' : `; filename*=${encodeExtended(name.toWellFormed())}`}`;
}
