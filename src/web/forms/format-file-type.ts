/** Types whose usual name is not the subtype. */
const FILE_TYPE_LABELS: Readonly<Record<string, string>> = {
  'audio/mpeg': 'MP3',
  'audio/mp4': 'M4A',
  'audio/x-wav': 'WAV',
  'video/quicktime': 'MOV',
  'video/x-matroska': 'MKV',
};

/** "PNG", "MOV". */
export const formatFileType = (mimeType: string): string =>
  FILE_TYPE_LABELS[mimeType] ?? mimeType.split('/')[1]?.toUpperCase() ?? mimeType;
