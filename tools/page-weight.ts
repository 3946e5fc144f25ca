import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

/** Bytes of the headers of one response over HTTP/1.1. */
const HEADERS = 1_024;
/** In the HTML of every page, and not part of the build. */
const COMPAT = 'compat.js';
const LOCALES = { zh: /\/locales\/zh\.json$|\/locale\/zh[_-]cn\.js$/i, en: /\/locales\/en\.json$/ };
const dist = join(root, 'apps', 'web', 'dist');

/** Vite's manifest, as far as it is used here: chunks by their source, or by their file if they have several. */
export type Manifest = Record<string, { file: string; name?: string; imports?: string[]; dynamicImports?: string[] }>;

export interface WeighedPage {
  name: string;
  /** Maximum KB of JavaScript at first load, gzip, including the headers of the responses. */
  budget: number;
  /** Dynamically imported before the page can be used: sources in apps/web, or names of chunks (start-chunk.ts). */
  parts: readonly string[];
}

export interface PageWeight {
  page: WeighedPage;
  /** KB; of the two languages the larger value. */
  kilobytes: number;
}

const JOIN = 'src/features/conferences/index.ts';
const SIGNED_IN = [
  'src/entries/guard/act.ts',
  'src/entries/shell/Shell.tsx',
  'src/features/conferences/ring/Rings.tsx',
];

const HLS = '../../node_modules/hls.js/dist/hls.light.mjs';

/**
 * The pages with a budget, all of the user app. `npm run bench -- web` compares the lists with what a browser loads.
 */
export const weighedPages = {
  login: { name: 'login', budget: 150, parts: ['auth'] },
  myMeeting: { name: 'myMeeting', budget: 330, parts: [...SIGNED_IN, 'src/features/meetings/list/MyMeetingPage.tsx'] },
  join: { name: 'join', budget: 300, parts: [JOIN] },
  room: {
    name: 'room',
    budget: 450,
    parts: [JOIN, 'src/features/conferences/room/Room.tsx', 'src/call/livekit-session.ts'],
  },
  recordings: {
    name: 'recordings',
    budget: 470,
    parts: [...SIGNED_IN, 'src/features/recordings/list/RecordingsPage.tsx'],
  },
  recording: {
    name: 'recording',
    budget: 430,
    parts: [...SIGNED_IN, 'src/features/recordings/detail/RecordingPage.tsx', HLS],
  },
  sharedRecording: {
    name: 'sharedRecording',
    budget: 310,
    parts: ['src/features/recordings/shared/SharedRecordingPage.tsx', HLS],
  },
  broadcasts: {
    name: 'broadcasts',
    budget: 470,
    parts: [...SIGNED_IN, 'src/features/live/list/LiveMeetingsPage.tsx'],
  },
  watch: { name: 'watch', budget: 310, parts: ['src/features/live/watch/WatchPage.tsx', HLS] },
} satisfies Record<string, WeighedPage>;

/** The scripts of a page at first load, as paths in the build: imports of its parts, and their texts. */
export function scriptsOf(manifest: Manifest, { parts }: WeighedPage, locale: keyof typeof LOCALES): Set<string> {
  const files = new Set([COMPAT]);
  const seen = new Set<string>();
  const add = (source: string): void => {
    if (seen.has(source)) return;
    seen.add(source);
    const chunk = manifest[source];
    if (chunk === undefined) throw new Error(`the build has no chunk of ${source}; correct tools/page-weight.ts`);
    files.add(chunk.file);
    chunk.imports?.forEach(add);
    chunk.dynamicImports?.filter((one) => LOCALES[locale].test(one)).forEach(add);
  };
  const keyOf = (part: string): string =>
    Object.keys(manifest).find((key) => key.startsWith('_') && manifest[key]?.name === part) ?? part;
  ['index.html', ...parts.map(keyOf)].forEach(add);
  return files;
}

/** Bytes of a file of the build as sent to a browser that accepts gzip. */
function sentBytes(file: string): number {
  const compressed = join(dist, `${file}.gz`);
  return statSync(existsSync(compressed) ? compressed : join(dist, file)).size + HEADERS;
}

/** The weight of a page of the current build at first load, computed from the build's manifest. */
export function weigh(page: WeighedPage): PageWeight {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8')) as Manifest;
  const weights = (['zh', 'en'] as const).map((locale) =>
    [...scriptsOf(manifest, page, locale)].reduce((sum, file) => sum + sentBytes(file), 0),
  );
  return { page, kilobytes: Math.max(...weights) / 1024 };
}

/** The pages of the current build above their budget, one line each. */
export function weightBreaches(weights: readonly PageWeight[]): string[] {
  return weights
    .filter(({ page, kilobytes }) => kilobytes > page.budget)
    .map(
      ({ page, kilobytes }) =>
        `${page.name} loads ${kilobytes.toFixed(1)} KB of JavaScript, ${page.budget} KB at most ` +
        '(docs/decisions/page-weight.md)',
    );
}

/** `login 143 of 150 KB`, and so on. */
export function weightWords(weights: readonly PageWeight[]): string {
  return weights.map(({ page, kilobytes }) => `${page.name} ${kilobytes.toFixed(0)} of ${page.budget} KB`).join(', ');
}
