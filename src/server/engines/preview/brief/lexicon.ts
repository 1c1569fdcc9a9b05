import type { MoodName } from '../color/moods.ts';

export type Family =
  | 'landscape'
  | 'sea'
  | 'city'
  | 'cosmos'
  | 'underwater'
  | 'botanical'
  | 'spheres'
  | 'still_life'
  | 'ribbons'
  | 'poster'
  | 'portrait';

export type Subject =
  | 'person'
  | 'couple'
  | 'cat'
  | 'dog'
  | 'deer'
  | 'birds'
  | 'boat'
  | 'ship'
  | 'lighthouse'
  | 'cabin'
  | 'castle'
  | 'balloon'
  | 'rocket'
  | 'tree'
  | 'palm'
  | 'car'
  | 'tent'
  | 'turbine'
  | 'whale'
  | 'bridge'
  | 'horse';

export type Weather = 'snow' | 'rain' | 'fog' | 'petals' | 'fireflies' | 'embers' | 'dust' | 'stars';
export type Style = 'monochrome' | 'vintage' | 'pixel' | 'halftone' | 'painted' | 'soft';
export type Move = 'push_in' | 'pull_out' | 'pan_left' | 'pan_right' | 'rise' | 'sink' | 'locked';

/** Words are singular, as `promptWords` returns them. */
export const FAMILY_WORDS = {
  landscape:
    'landscape mountain hill valley lake river forest wood pine field meadow countryside farm vineyard desert dune canyon alp peak cliff nature wilderness waterfall trail road path tundra glacier savanna prairie cabin barn camp tent deer horse wolf bear fox castle village windmill turbine fjord hike hiking dragon knight fantasy kingdom tree orchard hilltop cat dog puppy kitten sheep cow samurai unicorn lavender provence tuscany',
  sea: 'sea ocean whale beach coast shore wave surf sailing boat ship sailboat yacht harbor harbour lighthouse tide bay lagoon marina pier seagull dolphin surfer tropical island vacation cruise pirate',
  city: 'city street skyline building urban downtown tokyo york london paris shanghai berlin hong_kong architecture skyscraper tower office neon cyberpunk night_market traffic car taxi subway rooftop bridge apartment metropolis alley rain rainy cafe restaurant shop store cityscape town suburb train station futuristic',
  cosmos:
    'space galaxy planet star nebula astronaut moon rocket cosmic cosmos universe sci_fi scifi orbit alien satellite comet meteor mars saturn jupiter eclipse asteroid spaceship interstellar milky_way constellation supernova solar',
  underwater:
    'underwater coral reef whale shark jellyfish turtle fish octopus seabed kelp diver scuba mermaid aquarium submarine deep_sea',
  botanical:
    'flower leaf leave plant garden cherry_blossom rose tulip fern monstera jungle botanical herb bloom blossom bouquet petal daisy sunflower lotus orchid cactus succulent ivy lavender wildflower lily poppy peony foliage greenery eucalyptus floral vine butterfly bee mushroom',
  spheres:
    'sphere ball orb bubble marble pearl glass glossy chrome render 3d molecule abstract_3d balloon toy candy gum bead droplet planet_toy minimal_3d soft_toy clay',
  still_life:
    'product bottle podium vase cup mug coffee tea perfume cosmetic skincare cream fruit apple lemon pear peach table studio ceramic pottery food candle drink wine juice cake bread breakfast jar lamp interior room furniture chair shelf watch shoe sneaker phone laptop bag packaging mockup still_life jewelry ring soap serum tableware kitchen honey whisky cocktail',
  ribbons:
    'abstract flow wave_pattern silk fluid liquid gradient ribbon smoke music sound energy data technology ai network motion fabric satin wallpaper background aurora swirl curve dynamic digital future speed wind dream emotion',
  poster:
    'geometric poster bauhaus minimal minimalist logo icon pattern flat vector illustration retro modernist graphic design badge sticker cover album typography mosaic collage cubist deco modern_art shape circle triangle banner cat_logo emblem',
  portrait:
    'portrait woman man girl boy person face model people child dancer king queen lady gentleman headshot selfie fashion character profile elder grandmother grandfather wizard princess doctor chef singer musician athlete businesswoman businessman hero warrior',
} as const satisfies Record<Family, string>;

export const MOOD_WORDS = {
  sunset: 'sunset evening romantic sundown twilight warm_light',
  dawn: 'dawn sunrise morning calm serene gentle peaceful tender quiet hopeful',
  noon: 'noon midday day daylight sunny bright clear summer cheerful happy fresh clean joyful',
  golden: 'golden_hour golden honey wheat harvest glow glowing warm sunlit amber hazy cinematic',
  blue_hour: 'dusk blue_hour nightfall lonely melancholy wistful',
  night: 'night midnight moon moonlight moonlit starry star dark lantern',
  aurora: 'aurora northern_light magic magical mystical enchanted ethereal borealis',
  overcast: 'overcast cloudy grey gray rainy rain scandinavian concrete brutalist',
  storm: 'storm stormy moody bleak gloomy thunder dramatic brooding ominous hurricane',
  neon: 'neon cyberpunk synthwave vaporwave electric rave club futuristic hologram holographic laser arcade glitch',
  pastel: 'pastel soft cute dreamy baby delicate kawaii whimsical airy cotton',
  earth: 'earthy clay terracotta rustic wood wooden leather boho ceramic pottery organic canyon adobe handmade',
  noir: 'noir monochrome black_and_white grayscale greyscale charcoal ink mysterious',
  autumn: 'autumn fall october harvest pumpkin maple halloween cozy cosy thanksgiving',
  winter: 'winter snow snowy ice icy frozen frost arctic glacier christmas cold december',
  spring: 'spring april cherry_blossom blossom bloom easter meadow sakura may',
  tropical: 'tropical beach paradise palm island summer_vacation exotic parrot pineapple coconut caribbean',
  desert: 'desert dune sahara canyon savanna sand cactus arid mesa egypt pyramid',
  forest: 'forest jungle wood woodland green moss fern nature hiking leaf foliage eco sustainable',
  ocean: 'ocean sea underwater water wave coast marine reef aquatic lake lagoon river',
  candy:
    'candy colorful colourful vivid playful fun pop party rainbow bubblegum vibrant kids birthday psychedelic carnival',
  midcentury: 'retro midcentury mid_century modernist bauhaus seventies 70s sixties 60s jazz deco',
  luxury:
    'luxury luxurious elegant premium perfume whisky gold gilded opulent royal jewelry watch chocolate sophisticated',
  marble:
    'marble minimal minimalist white studio clean_white clinical porcelain skincare pearl bridal architecture product',
  ember: 'fire flame ember lava volcano volcanic burning hell dragon inferno blaze apocalypse war mars',
  cosmic: 'space cosmic galaxy nebula universe cosmos planet interstellar astronaut astral sci_fi scifi',
  vintage: 'vintage nostalgic antique old sepia faded polaroid analog analogue film historic victorian western',
} as const satisfies Record<MoodName, string>;

export const SUBJECT_WORDS = {
  person:
    'person man woman girl boy traveler traveller hiker wanderer figure monk samurai knight explorer astronaut surfer dancer child runner wizard photographer',
  couple: 'couple lover wedding friend people family',
  cat: 'cat kitten kitty',
  dog: 'dog puppy wolf fox',
  deer: 'deer stag elk moose reindeer',
  birds: 'bird seagull crane eagle swallow flock raven goose',
  boat: 'boat sailboat yacht canoe sailing kayak',
  ship: 'ship galleon pirate ferry',
  lighthouse: 'lighthouse beacon',
  cabin: 'cabin house cottage barn farm hut home village lodge',
  castle: 'castle fortress palace kingdom temple',
  balloon: 'balloon hot_air_balloon airship',
  rocket: 'rocket spaceship spacecraft launch',
  tree: 'tree oak maple baobab acacia',
  palm: 'palm tropical',
  car: 'car taxi van truck',
  tent: 'tent camp camping campfire',
  turbine: 'turbine windmill',
  whale: 'whale orca',
  bridge: 'bridge viaduct',
  horse: 'horse pony unicorn rider cowboy',
} as const satisfies Record<Subject, string>;

export const WEATHER_WORDS = {
  snow: 'snow snowy snowfall blizzard snowing winter christmas',
  rain: 'rain rainy raining storm stormy drizzle monsoon',
  fog: 'fog foggy mist misty haze hazy smoke smoky',
  petals: 'petal cherry_blossom sakura confetti blossom',
  fireflies: 'firefly magical enchanted fairy magic glowing lantern',
  embers: 'ember fire flame lava volcano spark campfire burning',
  dust: 'dust dusty golden_hour sunbeam attic pollen sandstorm',
  stars: 'star starry milky_way constellation galaxy',
} as const satisfies Record<Weather, string>;

export const STYLE_WORDS = {
  monochrome: 'noir monochrome black_and_white grayscale greyscale',
  vintage: 'vintage polaroid analog analogue sepia nostalgic super_8 35mm kodak retro_film faded',
  pixel: 'pixel pixel_art 8_bit 8bit 16_bit',
  halftone: 'halftone comic screenprint risograph riso pop_art newsprint',
  painted: 'painting oil watercolor watercolour gouache impressionist impressionism brush acrylic painted',
  soft: 'dreamy ethereal soft soft_focus bokeh',
} as const satisfies Record<Style, string>;

export const MOVE_WORDS = {
  push_in: 'push dolly zoom_in push_in approach forward closer toward',
  pull_out: 'pull_out zoom_out pull_back reveal away backward',
  pan_left: 'pan_left left',
  pan_right: 'pan_right right pan tracking track orbit sideway slide',
  rise: 'rise crane_up tilt_up ascend upward drone aerial lift',
  sink: 'sink tilt_down descend downward lower',
  locked: 'static locked tripod still_camera locked_off',
} as const satisfies Record<Move, string>;

export const PHRASES: ReadonlyMap<string, string> = new Map(
  (
    'golden hour,blue hour,hong kong,night market,milky way,deep sea,still life,zoom in,cherry blossom,northern lights,' +
    'black and white,pixel art,super 8,pop art,soft focus,hot air balloon,push in,pull out,zoom out,pull back,pan left,' +
    'pan right,crane up,tilt up,tilt down,modern art,clean white,warm light,still camera,sci-fi,mid-century,8-bit,' +
    '16-bit,locked-off'
  )
    .split(',')
    .map((phrase) => [phrase, phrase.replaceAll(/[ -]/g, '_').replace('lights', 'light')]),
);
