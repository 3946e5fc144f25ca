import type { ManualPage } from './page-ids.ts';
import { tokensOf } from './words.ts';

/** One passage of the manual as it is searched. */
export interface PassageText {
  page: ManualPage;
  passage: string;
  pageTitle: string;
  pageWords: string;
  title: string;
  words: string;
  /** Plain text. */
  text: string;
}

export interface Found {
  passage: PassageText;
  /** Comparable within one search only. */
  score: number;
}

interface Entry {
  passage: PassageText;
  /** Weighted number of occurrences by token. */
  counts: Map<string, number>;
  length: number;
}

export interface ManualIndex {
  entries: readonly Entry[];
  /** In how many passages a token occurs. */
  spread: ReadonlyMap<string, number>;
  averageLength: number;
}

/** How much one occurrence counts, by where it is. */
const WEIGHTS = { title: 4, words: 3, pageTitle: 1.5, pageWords: 1, text: 1 } as const;
/** The constants of BM25: saturation of repeated words, and how much long passages are discounted. */
const SATURATION = 1.4;
const LENGTH_DISCOUNT = 0.5;
/** A word that is still being typed counts less than one that is complete. */
const PREFIX_WEIGHT = 0.5;
const SHORTEST_PREFIX = 3;

function entryOf(passage: PassageText): Entry {
  const counts = new Map<string, number>();
  let length = 0;
  for (const [field, weight] of Object.entries(WEIGHTS)) {
    for (const token of tokensOf(passage[field as keyof typeof WEIGHTS])) {
      counts.set(token, (counts.get(token) ?? 0) + weight);
      if (field === 'text') length += 1;
    }
  }
  return { passage, counts, length };
}

/** Prepares passages for searches; some milliseconds for the whole manual. */
export function buildIndex(passages: readonly PassageText[]): ManualIndex {
  const entries = passages.map(entryOf);
  const spread = new Map<string, number>();
  for (const { counts } of entries) for (const token of counts.keys()) spread.set(token, (spread.get(token) ?? 0) + 1);
  const total = entries.reduce((sum, { length }) => sum + length, 0);
  return { entries, spread, averageLength: total / Math.max(1, entries.length) };
}

/** Tokens to look for with their weights: those of the query, and words that its last one may become. */
function wantedOf(index: ManualIndex, query: string): Map<string, number> {
  const tokens = tokensOf(query);
  const wanted = new Map(tokens.map((token) => [token, 1]));
  const last = tokens.at(-1) ?? '';
  if (last.length < SHORTEST_PREFIX || index.spread.has(last)) return wanted;
  for (const token of index.spread.keys())
    if (token.startsWith(last) && !wanted.has(token)) wanted.set(token, PREFIX_WEIGHT);
  return wanted;
}

function scoreOf(index: ManualIndex, { counts, length }: Entry, wanted: ReadonlyMap<string, number>): number {
  const discount = 1 - LENGTH_DISCOUNT + (LENGTH_DISCOUNT * length) / Math.max(1, index.averageLength);
  let score = 0;
  let hits = 0;
  for (const [token, weight] of wanted) {
    const count = counts.get(token);
    if (count === undefined) continue;
    const spread = index.spread.get(token) ?? 0;
    const rarity = Math.log(1 + (index.entries.length - spread + 0.5) / (spread + 0.5));
    score += (weight * rarity * count * (SATURATION + 1)) / (count + SATURATION * discount);
    hits += 1;
  }
  // A passage with all words of the question is better than one that repeats a single word.
  return score * (0.5 + hits / (2 * Math.max(1, wanted.size)));
}

/** The passages that answer a question best, the best first (BM25); empty if none has a word of it. */
export function searchManual(index: ManualIndex, query: string, limit = 8): Found[] {
  const wanted = wantedOf(index, query);
  return index.entries
    .map((entry) => ({ passage: entry.passage, score: scoreOf(index, entry, wanted) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}
