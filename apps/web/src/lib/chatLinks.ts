import { isUrl } from './isUrl.ts';

/** `start` is the offset in the whole text. */
export type ChatPart = { start: number; text: string } | { start: number; text: string; href: string };

/**
 * An external link starts with http, https, mailto or tel (product document, section 5); nothing else becomes a link.
 */
const LINK = /\b(?:https?:\/\/|mailto:|tel:\+?)[^\s<>"'`\u3000-\u303F\uFF00-\uFFEF]+/gi;
const TRAILING = /[.,;:!?)\]}]+$/;

/** Splits a chat text into parts; safe links have their URL. The joined parts are the whole text again. */
export function chatParts(text: string): ChatPart[] {
  const parts: ChatPart[] = [];
  let end = 0;
  for (const match of text.matchAll(LINK)) {
    const link = trimmed(match[0]);
    if (!isUrl(link)) continue;
    if (match.index > end) parts.push({ start: end, text: text.slice(end, match.index) });
    parts.push({ start: match.index, text: link, href: link });
    end = match.index + link.length;
  }
  if (end < text.length) parts.push({ start: end, text: text.slice(end) });
  return parts;
}

/** Punctuation after a link belongs to the sentence, except the closing bracket of one opened inside the link. */
function trimmed(link: string): string {
  const tail = TRAILING.exec(link)?.[0] ?? '';
  if (tail.startsWith(')') && link.includes('(')) return `${link.slice(0, link.length - tail.length)})`;
  return link.slice(0, link.length - tail.length);
}
