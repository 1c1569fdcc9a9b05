import { css, lighten, mixColors } from '../color/color.ts';
import type { SubjectForm } from './subject.ts';

export const paintPalm: SubjectForm['paint'] = (ctx, look, random, time_s) => {
  for (const [foot, tall, lean] of [
    [-16, 76, -14],
    [10, 100, 22],
  ] as const) {
    const top = { x: foot + lean, y: -tall };
    const bark = mixColors(look.dark, look.accent, 0.12);
    ctx.strokeStyle = css(bark);
    ctx.lineCap = 'butt';
    for (let ring = 0; ring < 22; ring++) {
      const [a, b] = [ring / 22, (ring + 1.15) / 22];
      const at = (t: number): [number, number] => [foot + lean * t ** 1.7, -tall * t];
      ctx.lineWidth = 4.4 - 2.2 * a;
      ctx.strokeStyle = css(ring % 2 === 0 ? bark : lighten(bark, 0.035));
      ctx.beginPath();
      ctx.moveTo(...at(a));
      ctx.lineTo(...at(Math.min(1, b)));
      ctx.stroke();
    }
    const fronds = 11;
    for (let frond = 0; frond < fronds; frond++) {
      const angle = -Math.PI * 1.12 + (frond / (fronds - 1)) * Math.PI * 1.24 + random.range(-0.08, 0.08);
      const sway = Math.sin(time_s * 1.2 + frond) * 0.04;
      const length = random.range(30, 42);
      const tone = mixColors(mixColors(look.dark, look.accent_2, 0.2), look.light, random.range(0, 0.22));
      for (let leaflet = 1; leaflet <= 15; leaflet++) {
        const t = leaflet / 15;
        const droop = t * t * (0.55 + 0.25 * Math.abs(Math.cos(angle)));
        const x = top.x + Math.cos(angle + sway) * length * t;
        const y = top.y + Math.sin(angle + sway) * length * t * 0.75 + droop * length * 0.6;
        const reach = 9.5 * Math.sin(Math.PI * (0.12 + t * 0.8));
        ctx.strokeStyle = css(tone);
        ctx.lineWidth = 1.5 - t * 0.6;
        for (const side of [-1, 1]) {
          ctx.beginPath();
          ctx.moveTo(x, y);
          ctx.lineTo(
            x + Math.cos(angle) * reach * 0.55 + side * reach * 0.3,
            y + reach * (0.75 + 0.2 * side * Math.sin(angle)),
          );
          ctx.stroke();
        }
      }
    }
    ctx.fillStyle = css(mixColors(look.dark, look.accent, 0.4));
    for (const [dx, dy] of [
      [-2.6, 2],
      [2, 3],
      [0, 5],
    ] as const) {
      ctx.beginPath();
      ctx.arc(top.x + dx, top.y + dy, 2.4, 0, 7);
      ctx.fill();
    }
  }
};
