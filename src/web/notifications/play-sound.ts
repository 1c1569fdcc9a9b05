/** Two soft notes, a fifth apart. */
const TONES = [
  { hertz: 659.25, at_s: 0 },
  { hertz: 987.77, at_s: 0.14 },
];
const DURATION_S = 0.9;
const VOLUME = 0.12;

let context: AudioContext | undefined;

/** Plays a short sound. Browsers mute it until the person has interacted with the page. */
export async function playSound(): Promise<void> {
  context ??= new AudioContext();
  if (context.state === 'suspended') await context.resume();
  for (const { hertz, at_s } of TONES) {
    const start_s = context.currentTime + at_s;
    const tone = new OscillatorNode(context, { type: 'sine', frequency: hertz });
    const level = new GainNode(context, { gain: 0 });
    level.gain.setValueAtTime(0, start_s);
    level.gain.linearRampToValueAtTime(VOLUME, start_s + 0.015);
    level.gain.exponentialRampToValueAtTime(0.0001, start_s + DURATION_S);
    tone.connect(level).connect(context.destination);
    tone.start(start_s);
    tone.stop(start_s + DURATION_S);
  }
}
