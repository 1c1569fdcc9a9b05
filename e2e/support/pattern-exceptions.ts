interface PatternException {
  file: string;
  /** The source of the pattern, or the code that builds it. */
  source: string;
  /** How long its input may be, or why it is linear, and where that is enforced. */
  bound: string;
}

/** Patterns that `check-patterns.ts` finds super-linear or can't read. One that needs no exception any more fails it. */
export const PATTERN_EXCEPTIONS: readonly PatternException[] = [
  {
    file: 'src/contract/primitives.ts',
    source: 'new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`)',
    bound: 'linear: one bounded repetition after a prefix of the code',
  },
  {
    file: 'src/server/platform/media/media-tools.ts',
    source: 'new RegExp(`^${name} version (\\\\S+)`)',
    bound: 'linear: one repetition after the name of a tool; text of ffmpeg and ffprobe, read at the start',
  },
  {
    file: 'src/server/platform/core/file-names.ts',
    source: "new RegExp(String.raw`(?!${JOINER})[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cn}]`, 'gu')",
    bound: 'linear: no repetition',
  },
  {
    file: 'src/server/models/config/adapter-options.ts',
    source: 'new RegExp(`^(${MODEL}|${MODEL}:${VERSION}|${VERSION})$`)',
    bound: 'linear: anchored, and "/" and ":" are in no repetition; the file of engines, read at the start',
  },
  {
    file: 'src/server/http/not-found.ts',
    source: "new RegExp(`^${path.replaceAll(/\\{\\w+\\}/g, '[^/]+')}$`)",
    bound: 'linear: anchored, and "/" is in no repetition; the paths are those of the contract',
  },
  {
    file: 'src/server/http/dashboard/serve-dashboard.ts',
    source: "new RegExp(`<${element}(?![^>]*\\\\ssrc=)[^>]*>([^]*?)</${element}>`, 'g')",
    bound: 'index.html of the build, below 10 kB, read at the start',
  },
];
