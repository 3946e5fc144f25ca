import { AUDIENCES, type Audience, type ManualPage } from './page-ids.ts';

/** One section of a page, which answers one question. */
export interface Passage {
  /** The anchor in its page; the same in both languages. */
  id: string;
  title: string;
  /** Further words that people use for it; found, never shown. */
  words: string;
  /** Markdown. */
  body: string;
}

export interface Page {
  id: ManualPage;
  title: string;
  audience: Audience;
  words: string;
  /** Markdown before the first passage; may be empty. */
  intro: string;
  passages: Passage[];
}

const HEADING = /^## (.+) \{#([a-z][a-z0-9-]*)\}$/;

function fieldsOf(id: string, head: string): Map<string, string> {
  return new Map(
    head.split('\n').map((line): [string, string] => {
      const [, name = '', value = ''] = /^(\w+): (.+)$/.exec(line) ?? [];
      if (name === '') throw new Error(`The page ${id} has a wrong line at its beginning: ${line}`);
      return [name, value];
    }),
  );
}

function passageOf(id: string, text: string): Passage {
  const [heading = '', ...lines] = text.split('\n');
  const [, title, anchor] = HEADING.exec(heading) ?? [];
  if (title === undefined || anchor === undefined) throw new Error(`The page ${id} has a wrong heading: ${heading}`);
  const hasWords = lines[0]?.startsWith('words: ') === true;
  const words = hasWords ? (lines[0] ?? '').slice('words: '.length) : '';
  return {
    id: anchor,
    title,
    words,
    body: lines
      .slice(hasWords ? 1 : 0)
      .join('\n')
      .trim(),
  };
}

/**
 * Reads one file of the manual: lines `title:`, `for:` and `words:` between two lines `---`, an introduction, and
 * passages, each with a heading `## Title {#anchor}` and, if wanted, a line `words:` below it.
 *
 * @throws Error naming the page and the line that is wrong
 */
export function parsePage(id: ManualPage, text: string): Page {
  const body = text.replace(/^---\n/, '');
  const end = body.search(/^---$/m);
  if (end === -1) throw new Error(`The page ${id} has no title.`);
  const fields = fieldsOf(id, body.slice(0, end).trim());
  const [title, audience] = [fields.get('title'), AUDIENCES.find((one) => one === fields.get('for'))];
  if (title === undefined || audience === undefined) throw new Error(`The page ${id} has no title or no audience.`);
  const [intro = '', ...parts] = body.slice(end + '---'.length).split(/^(?=## )/m);
  return {
    id,
    title,
    audience,
    words: fields.get('words') ?? '',
    intro: intro.trim(),
    passages: parts.map((part) => passageOf(id, part.trim())),
  };
}

/** Markdown of the manual as plain text, one line for each paragraph or item. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
    .replace(/^- /gm, '• ')
    .replace(/\n{2,}/g, '\n')
    .trim();
}
