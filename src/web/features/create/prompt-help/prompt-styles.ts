export interface PromptStyle {
  label: string;
  /** What is added to the prompt. */
  words: string;
}

/** In the order of the thumbnails in `style-thumbnails.webp`. */
export const PROMPT_STYLES: readonly PromptStyle[] = [
  { label: 'Cinematic', words: 'cinematic golden hour light' },
  { label: 'Film photo', words: 'vintage 35mm film photo' },
  { label: 'B&W photo', words: 'black and white photo' },
  { label: 'Soft focus', words: 'dreamy soft focus' },
  { label: 'Watercolor', words: 'watercolor painting' },
  { label: 'Oil painting', words: 'oil painting' },
  { label: 'Comic', words: 'comic book halftone' },
  { label: 'Pixel art', words: 'pixel art' },
  { label: 'Flat vector', words: 'flat vector illustration' },
  { label: '3D render', words: 'glossy 3D render' },
  { label: 'Neon', words: 'neon glow at night' },
  { label: 'Pastel', words: 'soft pastel colors' },
];
