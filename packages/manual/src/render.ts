import createMarkdown, { type MarkdownIt } from 'markdown-it';
import { MANUAL_PAGES, manualAddress, type ManualLanguage } from './page-ids.ts';

/** Width and height of a picture in pixels, by its name without an ending; null: there is no such picture. */
export type PictureSize = (name: string) => { width: number; height: number } | null;

const LINK = /^([a-z-]+)(?:#([a-z0-9-]+))?$/;

/** The address of a link `page` or `page#passage`. @throws Error for any other link */
function addressOf(language: ManualLanguage, href: string): string {
  const [, name, passage] = LINK.exec(href) ?? [];
  const page = MANUAL_PAGES.find((one) => one === name);
  if (page === undefined) throw new Error(`The manual has no page for the link ${href}.`);
  return manualAddress(language, page, passage);
}

const BOLD = /\*\*([^*\n]+)\*\*/y;

/**
 * Bold text ends at the next two asterisks. By CommonMark (6.2) it would not if they follow a punctuation mark and a
 * letter follows them, as in Chinese, which has no spaces between words.
 */
function addBold(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('emphasis', 'bold', (state, silent) => {
    BOLD.lastIndex = state.pos;
    const found = BOLD.exec(state.src);
    if (!found) return false;
    if (!silent) {
      state.push('strong_open', 'strong', 1);
      state.push('text', '', 0).content = found[1] ?? '';
      state.push('strong_close', 'strong', -1);
    }
    state.pos = BOLD.lastIndex;
    return true;
  });
}

/**
 * Renders Markdown of the manual to HTML. Raw HTML is escaped, links lead to pages of the manual only, and pictures are
 * those of the manual.
 */
export function createRenderer(language: ManualLanguage, pictureSize: PictureSize) {
  const markdown = createMarkdown({ html: false, linkify: false, typographer: false });
  addBold(markdown);
  markdown.renderer.rules.link_open = (tokens, at, options, _env, self) => {
    const token = tokens[at];
    token?.attrSet('href', addressOf(language, String(token.attrGet('href') ?? '')));
    return self.renderToken(tokens, at, options);
  };
  markdown.renderer.rules.image = (tokens, at) => {
    const token = tokens[at];
    const name = String(token?.attrGet('src') ?? '');
    const size = pictureSize(name);
    if (size === null) throw new Error(`The manual has no picture ${name}.`);
    return (
      `<img src="/help/pictures/${language}/${name}.webp" width="${size.width}" height="${size.height}" ` +
      `loading="lazy" alt="${markdown.utils.escapeHtml(token?.content ?? '')}">`
    );
  };
  return {
    block: (text: string): string => markdown.render(text),
    escape: (text: string): string => markdown.utils.escapeHtml(text),
  };
}

export type Renderer = ReturnType<typeof createRenderer>;
