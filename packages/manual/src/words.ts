/** Words of questions that say nothing of their subject. */
const STOP_WORDS = new Set(
  (
    'a an and any are as at be been but by can could did do does for from get has have how i if in is it its me my ' +
    'no not of on or our out shall should so some than that the their them then there they this to up us was we ' +
    'were what when where which while who whom why will with would you your am please want need like'
  ).split(' '),
);

/** The same in Chinese, the longest first. */
const STOP_PHRASES = new RegExp(
  '怎么办|怎么样|为什么|能不能|能否|怎么|怎样|如何|什么|哪里|哪儿|可以|应该|我们|咱们|他们|一下|一个|一间|一场|' +
    '一行|一条|这个|那个|大家|自己|[我您你他请把给要想的了吗呢吧啊在是和与及或也都就对用里被让来去上]',
  'g',
);

/** Runs of Chinese characters, and runs of letters and digits of other scripts. */
const RUNS = /\p{Script=Han}+|[\p{L}\p{N}]+(?:['.][\p{L}\p{N}]+)*/gu;

/** The stem of an English word, roughly: the same word in other forms has the same stem. */
function stem(word: string): string {
  const base = word.replace(/'s$|'/g, '');
  if (base.length <= 3) return base;
  const cut = base
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/([^s])s$/, '$1')
    .replace(/(.{3})(?:ing|ed)$/, '$1');
  return cut.replace(/([bdgmnprt])\1$/, '$1').replace(/e$/, '');
}

function chineseTokens(run: string): string[] {
  return run
    .replace(STOP_PHRASES, ' ')
    .split(' ')
    .flatMap((part) => {
      const letters = Array.from(part);
      if (letters.length < 2) return letters;
      return letters.slice(1).map((letter, at) => `${letters[at] ?? ''}${letter}`);
    });
}

/**
 * The tokens of a text in the order in which they occur: stems of words without those that carry no meaning, and pairs
 * of neighbouring Chinese characters.
 */
export function tokensOf(text: string): string[] {
  return (text.normalize('NFKC').toLowerCase().match(RUNS) ?? []).flatMap((run) => {
    if (/^\p{Script=Han}/u.test(run)) return chineseTokens(run);
    return STOP_WORDS.has(run) ? [] : [stem(run)];
  });
}
