const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);

/** Plain text as HTML, escaped, with links for web addresses. */
export function htmlOf(text: string): string {
  const linked = text
    .split(/(https?:\/\/[^\s<>"'，。）」]+)/g)
    .map((part, at) => (at % 2 === 0 ? escaped(part) : `<a href="${escaped(part)}">${escaped(part)}</a>`))
    .join('');
  const paragraphs = linked
    .split(/\n{2,}/)
    .map((paragraph) => `<p style="margin:0 0 1em">${paragraph.replaceAll('\n', '<br>')}</p>`)
    .join('\n');
  return (
    `<!DOCTYPE html>\n<html><head><meta charset="utf-8"></head><body ` +
    `style="font-family:system-ui,sans-serif;font-size:15px;line-height:1.6">\n${paragraphs}\n</body></html>\n`
  );
}
