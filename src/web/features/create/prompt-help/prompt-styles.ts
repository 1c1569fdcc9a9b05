export interface PromptStyle {
  label: string;
  /** What is added to the prompt. */
  words: string;
  /** What `npm run draw:styles` draws in this style. */
  sample: string;
}

/** In the order of the thumbnails in `style-thumbnails.webp`. */
export const PROMPT_STYLES: readonly PromptStyle[] = [
  { label: 'Cinematic', words: 'cinematic golden hour light', sample: 'A lake in the mountains with a deer' },
  { label: 'Film photo', words: 'vintage 35mm film photo', sample: 'A sailing boat in a bay' },
  { label: 'B&W photo', words: 'black and white photo', sample: 'A street with a person in the rain' },
  { label: 'Soft focus', words: 'dreamy soft focus', sample: 'Tulips in a garden' },
  { label: 'Watercolor', words: 'watercolor painting', sample: 'Poppies in a garden' },
  { label: 'Oil painting', words: 'oil painting', sample: 'A castle above a valley at sunset' },
  { label: 'Comic', words: 'comic book halftone', sample: 'Portrait of a woman, vivid' },
  { label: 'Pixel art', words: 'pixel art', sample: 'A city skyline at night' },
  { label: 'Flat vector', words: 'flat vector illustration', sample: 'Geometric poster' },
  { label: '3D render', words: 'glossy 3D render', sample: 'Glass spheres' },
  { label: 'Neon', words: 'neon glow at night', sample: 'A street in Tokyo' },
  { label: 'Pastel', words: 'soft pastel colors', sample: 'A balloon above a meadow' },
];
