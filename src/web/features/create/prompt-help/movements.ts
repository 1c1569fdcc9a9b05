export interface Movement {
  label: string;
  /** A sentence of the prompt. */
  sentence: string;
}

/** Movements of the camera, the gentle ones first. */
export const MOVEMENTS: readonly Movement[] = [
  { label: 'Push in', sentence: 'The camera slowly pushes in.' },
  { label: 'Pull out', sentence: 'The camera slowly pulls out.' },
  { label: 'Pan left', sentence: 'The camera pans to the left.' },
  { label: 'Pan right', sentence: 'The camera pans to the right.' },
  { label: 'Tilt up', sentence: 'The camera tilts up.' },
  { label: 'Tilt down', sentence: 'The camera tilts down.' },
  { label: 'Orbit', sentence: 'The camera orbits around the subject.' },
  { label: 'Handheld', sentence: 'Handheld camera with a slight, natural shake.' },
  { label: 'Static', sentence: 'Static camera: only the subject moves.' },
];

export const findMovement = (prompt: string): Movement | undefined =>
  MOVEMENTS.find(({ sentence }) => prompt.includes(sentence));

/** Replaces the movement of a prompt, or adds it as its last sentence. The movement that it has is removed. */
export function toggleMovement(prompt: string, { sentence }: Movement): string {
  const current = findMovement(prompt)?.sentence;
  if (current !== undefined && current !== sentence) return prompt.replace(current, sentence);
  if (current !== undefined) return prompt.replace(current, '').replaceAll(/ {2,}/g, ' ').trim();
  const text = prompt.trim();
  if (text === '') return sentence;
  return `${text}${/[.!?…]$/.test(text) ? '' : '.'} ${sentence}`;
}
