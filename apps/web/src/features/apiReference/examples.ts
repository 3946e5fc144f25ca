/** The files of docs/api by their paths. */
const FILES = import.meta.glob<string>('../../../../../docs/api/*.{sh,mjs,py}', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export const LANGUAGES = ['curl', 'javascript', 'python'] as const;
export type Language = (typeof LANGUAGES)[number];

const ENDINGS: Record<Language, string> = { curl: 'sh', javascript: 'mjs', python: 'py' };

/** The program `docs/api/<name>.*` in a language. */
const textOf = (name: string, language: Language): string =>
  FILES[`../../../../../docs/api/${name}.${ENDINGS[language]}`] ?? '';

const textsOf = (name: string): Record<Language, string> => ({
  curl: textOf(name, 'curl'),
  javascript: textOf(name, 'javascript'),
  python: textOf(name, 'python'),
});

/** The programs of docs/api, which tests run against a real server. */
export const EXAMPLES = [
  { key: 'meetings', texts: textsOf('meetings') },
  { key: 'webhook', texts: textsOf('verify-webhook') },
] as const;
