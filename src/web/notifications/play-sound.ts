/** Two soft notes, a fifth apart. */
const TONES = [
  { hertz: 659.25, atS: 0 },
  { hertz: 987.77, atS: 0.14 },
];
const DURATION_S = 0.9;
const VOLUME = 0.12;

let context: AudioContext | undefined;

/** Plays a short sound. Browsers mute it until the person has interacted with the page. */
export async function playSound(): Promise<void> {
  context ??= new AudioContext();
  if (context.state === 'suspended') await context.resume();
  for (const { hertz, atS } of TONES) {
    const startS = context.currentTime + atS;
    const tone = new OscillatorNode(context, { type: 'sine', frequency: hertz });
    const level = new GainNode(context, { gain: 0 });
    level.gain.setValueAtTime(0, startS);
    level.gain.linearRampToValueAtTime(VOLUME, startS + 0.015);
    level.gain.exponentialRampToValueAtTime(0.0001, startS + DURATION_S);
    tone.connect(level).connect(context.destination);
    tone.start(startS);
    tone.stop(startS + DURATION_S);
  }
}
