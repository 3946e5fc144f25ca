import { isLinkable } from '../links.ts';

/** A run of an announcement's text: plain, bold, or a link. */
export interface TextRun {
  text: string;
  isBold: boolean;
  /** Where it leads; null for text that is no link. */
  href: string | null;
}

/** A paragraph or heading with its lines, or a list with one entry per line. */
export interface TextBlock {
  kind: 'paragraph' | 'heading' | 'list' | 'numbered';
  lines: TextRun[][];
}

/** Elements whose content is no text. */
const HIDDEN_ELEMENTS = /<(script|style|iframe|object|template|svg|math)\b[^>]*>[\s\S]*?<\/\1\s*>/gi;
const TAGS = /<!--[\s\S]*?-->|<\/?[a-z][^<>]*>|<!doctype[^<>]*>/gi;
/** Control characters except line feed, and characters that turn the direction of other text. */
const UNSEEN = /(?!\n)\p{Cc}|[\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

/** Removes until nothing is left to remove: removing one tag may join two halves of another. */
function without(text: string, pattern: RegExp): string {
  for (let before = text; ;) {
    const after = before.replace(pattern, '');
    if (after === before) return after;
    before = after;
  }
}

/**
 * The text of an announcement as it is stored: without HTML, control characters and trailing spaces, with LF as line
 * end and at most one empty line in a row. Empty if nothing is left.
 */
export function cleanAnnouncement(text: string): string {
  const lines = text.replaceAll(/\r\n?|[\u2028\u2029]/g, '\n').replaceAll('\t', '  ');
  return without(without(lines, HIDDEN_ELEMENTS), TAGS)
    .replaceAll(UNSEEN, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** `[words](address)`, `**bold**`, or a web address. */
const MARKS =
  /\[([^[\]\n]{1,200})\]\(([^()\s]{1,500})\)|\*\*([^*\n]+)\*\*|(https?:\/\/[^\s<>"'()[\]，。；、（）《》]+)/g;

/** The runs of one line. A link to an address that texts may not link to stays plain text. */
function runsOf(line: string): TextRun[] {
  const runs: TextRun[] = [];
  const add = (text: string, isBold: boolean, href: string | null): void => {
    if (text !== '') runs.push({ text, isBold, href });
  };
  let at = 0;
  for (const match of line.matchAll(MARKS)) {
    const [whole, words = '', address = '', bold, plain] = match;
    add(line.slice(at, match.index), false, null);
    at = match.index + whole.length;
    if (bold !== undefined) add(bold, true, null);
    else if (plain !== undefined) add(whole, false, isLinkable(plain) ? plain : null);
    else if (isLinkable(address)) add(words, false, address);
    else add(whole, false, null);
  }
  add(line.slice(at), false, null);
  return runs;
}

const LISTED = /^[-*•]\s+(.*)$/;
const NUMBERED = /^\d{1,3}[.、)]\s*(\S.*)$/;
const HEADING = /^#{1,3}\s+(.*)$/;

/** The kind of a line, and its words without the mark at its beginning. */
function readLine(line: string): { kind: TextBlock['kind']; words: string } {
  const kinds = [
    ['list', LISTED],
    ['numbered', NUMBERED],
    ['heading', HEADING],
  ] as const;
  for (const [kind, pattern] of kinds) {
    const words = pattern.exec(line)?.[1];
    if (words !== undefined) return { kind, words };
  }
  return { kind: 'paragraph', words: line };
}

/**
 * Reads the light marks of an announcement: `# ` heading, `- ` and `1. ` lists, `**bold**`, `[words](address)`. The
 * result is data and never markup, so a page shows it without parsing HTML.
 */
export function announcementBlocks(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  let isNew = true;
  for (const line of text.split('\n')) {
    if (line.trim() === '') {
      isNew = true;
      continue;
    }
    const { kind, words } = readLine(line.trim());
    const last = blocks.at(-1);
    if (!isNew && last?.kind === kind && kind !== 'heading') last.lines.push(runsOf(words));
    else blocks.push({ kind, lines: [runsOf(words)] });
    isNew = false;
  }
  return blocks;
}
