export type Mark = 'bold' | 'heading' | 'list' | 'link';

interface Selection {
  from: number;
  until: number;
  /** Used for a link or bold text if nothing is selected. */
  words: string;
}

interface Marked {
  text: string;
  /** What is selected afterwards: the words, or of a link its address. */
  from: number;
  until: number;
}

const ADDRESS = 'https://';

/** The text with a mark at the selection; headings and lists mark its whole lines. */
export function marked(text: string, mark: Mark, { from, until, words }: Selection): Marked {
  if (mark === 'bold' || mark === 'link') {
    const chosen = text.slice(from, until) || words;
    const [before, after] = mark === 'bold' ? ['**', '**'] : ['[', `](${ADDRESS})`];
    const start = from + before.length;
    const result = `${text.slice(0, from)}${before}${chosen}${after}${text.slice(until)}`;
    if (mark === 'bold') return { text: result, from: start, until: start + chosen.length };
    const address = start + chosen.length + 2;
    return { text: result, from: address, until: address + ADDRESS.length };
  }
  const sign = mark === 'list' ? '- ' : '# ';
  const first = text.lastIndexOf('\n', from - 1) + 1;
  const end = text.indexOf('\n', until);
  const last = end === -1 ? text.length : end;
  const lines = text
    .slice(first, last)
    .split('\n')
    .map((line) => sign + line)
    .join('\n');
  return {
    text: text.slice(0, first) + lines + text.slice(last),
    from: from + sign.length,
    until: first + lines.length - (last - until),
  };
}
