import { buildIndex, searchManual, type ManualIndex, type PassageText } from '@rmeet/manual/search';
import { manualAddress, type ManualLanguage } from '@rmeet/manual/pages';
import './help.css';

const language: ManualLanguage = document.documentElement.lang.startsWith('zh') ? 'zh' : 'en';
const TEXTS = {
  zh: { count: (n: number) => `找到 ${n} 项`, none: '没有找到相关内容', failed: '搜索加载失败，请刷新页面。' },
  en: {
    count: (n: number) => (n === 1 ? '1 result' : `${n} results`),
    none: 'Nothing was found. Try other words.',
    failed: 'The search could not be loaded. Reload the page.',
  },
}[language];
/** Characters of a passage that a result shows. */
const EXCERPT = 140;

const form = document.querySelector<HTMLFormElement>('.help-search');
const field = form?.querySelector('input');
const results = document.querySelector<HTMLElement>('.help-results');
const status = results?.querySelector('p');
const list = results?.querySelector('ol');
const article = document.querySelector<HTMLElement>('article');

let index: Promise<ManualIndex> | undefined;

async function load(): Promise<ManualIndex> {
  const response = await fetch(`/help/search-${language}.json`);
  if (!response.ok) throw new Error(`The search answered ${response.status}.`);
  return buildIndex((await response.json()) as PassageText[]);
}

function itemOf({ page, passage, pageTitle, title, text }: PassageText): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = manualAddress(language, page, passage);
  link.textContent = title;
  const place = document.createElement('span');
  place.textContent = pageTitle;
  const excerpt = document.createElement('p');
  excerpt.textContent = text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text;
  item.append(link, place, excerpt);
  return item;
}

/** Shows what is found for the text of the field, in place of the page; the page itself for an empty field. */
async function show(): Promise<void> {
  if (!field || !results || !status || !list || !article) return;
  const query = field.value.trim();
  results.hidden = query === '';
  article.hidden = query !== '';
  if (query === '') return;
  try {
    index ??= load();
    const found = searchManual(await index, query);
    // The field may have changed while the search was loaded.
    if (field.value.trim() !== query) return;
    status.textContent = found.length === 0 ? TEXTS.none : TEXTS.count(found.length);
    list.replaceChildren(...found.map(({ passage }) => itemOf(passage)));
  } catch {
    index = undefined;
    status.textContent = TEXTS.failed;
    list.replaceChildren();
  }
}

function followForm(): void {
  if (!form || !field) return;
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void show().then(() => list?.querySelector('a')?.focus());
  });
  field.addEventListener('input', () => void show());
  // A link among the results may lead to a passage of the page that they cover.
  window.addEventListener('hashchange', () => {
    if (field.value === '') return;
    field.value = '';
    void show().then(() => document.querySelector(location.hash === '' ? '#content' : location.hash)?.scrollIntoView());
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    field.focus();
  });
  field.value = new URLSearchParams(location.search).get('q') ?? '';
  if (field.value !== '') void show();
}

/** The list of pages is folded on phones, where it would cover the first screen. */
function foldContents(): void {
  const contents = document.querySelector<HTMLDetailsElement>('.help-contents');
  if (contents && matchMedia('(max-width: 800px)').matches) contents.open = false;
}

followForm();
foldContents();
