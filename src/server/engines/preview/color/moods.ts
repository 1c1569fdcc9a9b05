import { hex, type Color } from './color.ts';

export interface Palette {
  sky: [Color, Color, Color];
  light: Color;
  far: Color;
  mid: Color;
  near: Color;
  accent: Color;
  accent_2: Color;
  paper: Color;
  ink: Color;
  night: boolean;
}

function mood(colors: string, night: 'day' | 'night' = 'day'): Palette {
  const [zenith, middle, horizon, light, far, mid, near, accent, accent_2, paper, ink] = colors.split(' ').map(hex);
  if (!zenith || !middle || !horizon || !light || !far || !mid || !near || !accent || !accent_2 || !paper || !ink) {
    throw new Error(`A mood needs eleven colours: ${colors}`);
  }
  return {
    sky: [zenith, middle, horizon],
    light,
    far,
    mid,
    near,
    accent,
    accent_2,
    paper,
    ink,
    night: night === 'night',
  };
}

export const MOODS = {
  sunset: mood('#33386e #c0567c #ffb069 #ffe3ae #b0658c #62406f #251a38 #ff7548 #f8c873 #f6dac2 #1c1428'),
  dawn: mood('#5b82b4 #e6b8c3 #ffe6c4 #fff4db #b9b6d2 #7d88ae #2c3956 #f08a78 #f7cba0 #f7e8df #232a40'),
  noon: mood('#2a7ccf #78b8ea #def1fb #fffbe9 #9cc4dc #5a9a80 #24573a #f3b23c #ea5f3e #f3eee2 #15302b'),
  golden: mood('#7288ab #ecbb74 #ffe2a2 #fff2c8 #d6aa6c #93703e #3a2a1a #e2732e #f4c24c #f5e3c2 #2a1d10'),
  blue_hour: mood('#141d49 #42549c #cfa0b6 #ffdcb4 #606aa4 #333f78 #111739 #ff9b69 #8fb6ff #cdd2ec #0c1030', 'night'),
  night: mood('#050a1e #10244c #31547f #eef3ff #2c476c #172c4d #060d1d #ffcd76 #6fa9ff #1a2948 #04070f', 'night'),
  aurora: mood('#041020 #0a3548 #2c9c86 #d4ffe9 #1d5260 #0f2f40 #04121b #5bf0b0 #b07bff #0f2c38 #030a10', 'night'),
  overcast: mood('#8b99a6 #b6c0c8 #e3e7e8 #ffffff #a9b5bd #6d7d88 #2d383f #d1854f #7aa0a8 #e6e5e0 #20282d'),
  storm: mood('#2a333f #55626f #a9b4b7 #f4f6ee #7d8a92 #3d4a55 #131a21 #d9a05a #7fb0b8 #9aa3a6 #0b1015'),
  neon: mood('#0b0622 #401270 #ff3f9e #ffd6f4 #5f218f #2d135d #0a0420 #1be4ff #ff2e8a #170a35 #06021a', 'night'),
  pastel: mood('#a9c9ec #e4d3ef #ffe6dc #fffaf0 #cfc4e4 #a3b6d6 #6b7fa6 #f4a3b5 #9ad6c4 #fbeeea #4d5578'),
  earth: mood('#c8a27c #e6c9a4 #f6e7cf #fff4dc #cba27c #9a6447 #40281d #c4552f #6d7a4a #efe0cb #2b1a13'),
  noir: mood('#1b1c1f #4b4d52 #b9bbbf #ffffff #85888d #46484d #101114 #e8e8ea #8d9096 #d9d9d8 #0c0c0e'),
  autumn: mood('#7f93a3 #dfb98a #f9dfb0 #fff0c6 #c98d57 #94502f #3a1e17 #d9481f #efb02e #f2dfc4 #2a1511'),
  winter: mood('#6f9cc4 #b9d3e6 #f3f3f0 #fffdf5 #bfd2e2 #86a3bf #2c4560 #d9534a #f0c27a #eef3f6 #1b2c40'),
  spring: mood('#6fb4de #bfe2ea #fff1e4 #fffbe6 #b5d7c3 #6fae77 #2b5c3d #f08fae #f6cf57 #f6f3e6 #1d3a2c'),
  tropical: mood('#0b7fc2 #44c3d8 #ffeec2 #fffae0 #7ad0cf #1f9a8a #0a4a48 #ff6f59 #ffc93c #fdf1d8 #06302f'),
  desert: mood('#4a8bb8 #f0c7a0 #ffe6bf #fff5d8 #e9b184 #c97847 #5c2a1c #e3582b #2f8f8f #f6dfc0 #341710'),
  forest: mood('#7fa8a0 #c3d8b8 #f3f0cf #fffbd8 #9cbca0 #4c7d5c #14302a #e0a53a #b8d86b #e9ead4 #0e221d'),
  ocean: mood('#155e95 #4fa6c9 #d8f0ec #fffdf0 #7dbccf #2b7d9e #0b3550 #ff8a5c #f4d06f #e4f0ee #08263a'),
  candy: mood('#6a5be0 #e37bd6 #ffd2a8 #fff3dc #c98be0 #8457c9 #35227a #ff5c8a #35d6c9 #ffe6ef #221552'),
  midcentury: mood('#2f6f78 #8fb7a3 #f0d9a6 #fdf0d0 #d9a35b #b9552f #24343a #d9552c #e8b23a #f2e4c6 #1f2a2e'),
  luxury: mood('#16110d #3a2b1e #a67c48 #ffe9c2 #6d5334 #3a2b1e #120d0a #d8a650 #f2d9a4 #2a211b #0b0806'),
  marble: mood('#cdd3d8 #e4e6e8 #f8f6f2 #ffffff #cfd2d5 #a5abb1 #474e55 #c79a4b #8fa6a8 #f1efeb #2a2f34'),
  ember: mood('#180a0c #5a1616 #ff7a2b #ffd79a #7e2a1c #451512 #12060a #ff5a1f #ffc14d #26100e #0b0405', 'night'),
  cosmic: mood('#04030f #1a1140 #5a2f86 #fff0e0 #4a3a86 #22184f #070512 #ff8fb0 #63c8ff #0d0a26 #020109', 'night'),
  vintage: mood('#7d8f86 #cdbf98 #f0dcae #fdf0cc #b8a67c #7d6a4b #33291f #b4552d #4f7a73 #eedfbd #2b211a'),
} as const satisfies Record<string, Palette>;

export type MoodName = keyof typeof MOODS;
