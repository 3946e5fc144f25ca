import { loadPages, passageTexts } from './load.ts';
import { AUDIENCES, MANUAL_LANGUAGES, manualAddress, type ManualLanguage } from './page-ids.ts';
import type { Page } from './parse.ts';
import { pictureFiles, pictureSizes } from './pictures.ts';
import { createRenderer, type Renderer } from './render.ts';

/** Addresses of the built script and style sheets of the manual's pages. */
export interface SiteAssets {
  script: string;
  styles: readonly string[];
}

interface SiteFile {
  /** Below `/help/`. */
  path: string;
  content: string | Buffer;
}

const TEXTS = {
  zh: {
    manual: '操作手册',
    lead: '按任务查找操作方法，或在上方搜索。',
    search: '搜索手册',
    find: '搜索',
    skip: '跳到主要内容',
    contents: '目录',
    results: '搜索结果',
    onPage: '本页内容',
    other: 'English',
    previous: '上一页',
    next: '下一页',
    link: '本节链接',
    groups: { everyone: '所有用户', hosts: '主持人', administrators: '单位管理员', operators: '平台运营人员' },
  },
  en: {
    manual: 'User manual',
    lead: 'Find a task in the list, or search above.',
    search: 'Search the manual',
    find: 'Search',
    skip: 'Skip to the content',
    contents: 'Contents',
    results: 'Search results',
    onPage: 'On this page',
    other: '中文',
    previous: 'Previous page',
    next: 'Next page',
    link: 'Link to this section',
    groups: {
      everyone: 'For everyone',
      hosts: 'For hosts',
      administrators: 'For administrators',
      operators: 'For operators of the platform',
    },
  },
} as const;

/** BCP 47. */
const TAGS = { zh: 'zh-CN', en: 'en' } as const;

interface Frame {
  language: ManualLanguage;
  assets: SiteAssets;
  pages: readonly Page[];
  render: Renderer;
}

/** The list of all pages in groups. `heading`: the element of the groups' names. */
function contentsOf({ language, pages, render }: Frame, heading: 'h2' | 'p', current: Page | null = null): string {
  const groups = AUDIENCES.map((audience) => {
    const items = pages
      .filter((page) => page.audience === audience)
      .map((page) => {
        const mark = page === current ? ' aria-current="page"' : '';
        return `<li><a href="${manualAddress(language, page.id)}"${mark}>${render.escape(page.title)}</a></li>`;
      });
    const name = `<${heading} class="help-group">${TEXTS[language].groups[audience]}</${heading}>`;
    return `${name}\n<ul>\n${items.join('\n')}\n</ul>`;
  });
  return groups.join('\n');
}

/** The list beside a page; on phones it is folded above it. */
function sideOf(frame: Frame, current: Page): string {
  const { contents } = TEXTS[frame.language];
  return `<details class="help-contents" open>
<summary>${contents}</summary>
<nav aria-label="${contents}">
${contentsOf(frame, 'p', current)}
</nav>
</details>`;
}

/** The whole document around a page's content. `current`: null for the start. */
function documentOf(frame: Frame, current: Page | null, title: string, content: string): string {
  const { language, assets } = frame;
  const texts = TEXTS[language];
  const other = MANUAL_LANGUAGES.find((one) => one !== language) ?? language;
  return `<!doctype html>
<html lang="${TAGS[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${title} - Rmeet</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${assets.styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
<script type="module" src="${assets.script}"></script>
</head>
<body>
<a class="help-skip" href="#content">${texts.skip}</a>
<header class="help-header">
<a class="help-home" href="${manualAddress(language)}">Rmeet ${texts.manual}</a>
<form class="help-search" role="search" action="${manualAddress(language)}" hidden>
<input type="search" name="q" maxlength="200" autocomplete="off" aria-label="${texts.search}"
 placeholder="${texts.search}">
<button type="submit">${texts.find}</button>
</form>
<a class="help-language" lang="${TAGS[other]}" href="${manualAddress(other, current?.id)}">${texts.other}</a>
</header>
<div class="help-body">
${current === null ? '' : sideOf(frame, current)}
<main id="content" tabindex="-1">
<section class="help-results" hidden>
<h1>${texts.results}</h1>
<p role="status"></p>
<ol></ol>
</section>
<article>
${content}
</article>
</main>
</div>
</body>
</html>
`;
}

function pageContent(frame: Frame, page: Page): string {
  const { language, pages, render } = frame;
  const texts = TEXTS[language];
  const anchors = page.passages.map(({ id, title }) => `<li><a href="#${id}">${render.escape(title)}</a></li>`);
  const passages = page.passages.map(({ id, title, body }) => {
    const anchor = `<a class="help-anchor" href="#${id}" aria-label="${texts.link}">#</a>`;
    return `<section id="${id}">\n<h2>${render.escape(title)} ${anchor}</h2>\n${render.block(body)}</section>`;
  });
  const at = pages.indexOf(page);
  const turns = [
    { to: pages[at - 1], label: texts.previous, rel: 'prev' },
    { to: pages[at + 1], label: texts.next, rel: 'next' },
  ].flatMap(({ to, label, rel }) => {
    if (to === undefined) return [];
    const address = manualAddress(language, to.id);
    return [`<a rel="${rel}" href="${address}"><span>${label}</span> ${render.escape(to.title)}</a>`];
  });
  return [
    `<h1>${render.escape(page.title)}</h1>`,
    render.block(page.intro),
    page.passages.length > 2
      ? `<nav class="help-on-page" aria-label="${texts.onPage}"><ul>${anchors.join('')}</ul></nav>`
      : '',
    ...passages,
    `<footer class="help-turns">${turns.join('')}</footer>`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function filesOf(language: ManualLanguage, assets: SiteAssets): SiteFile[] {
  const pages = loadPages(language);
  const frame = { language, assets, pages, render: createRenderer(language, pictureSizes(language)) };
  const pathOf = (page?: Page): string => manualAddress(language, page?.id).slice('/help/'.length);
  const { manual, lead } = TEXTS[language];
  const start = `<h1>${manual}</h1>\n<p>${lead}</p>\n<div class="help-start">\n${contentsOf(frame, 'h2')}\n</div>`;
  return [
    { path: pathOf(), content: documentOf(frame, null, manual, start) },
    ...pages.map((page) => ({
      path: pathOf(page),
      content: documentOf(frame, page, `${frame.render.escape(page.title)} - ${manual}`, pageContent(frame, page)),
    })),
    { path: `search-${language}.json`, content: JSON.stringify(passageTexts(pages)) },
    ...pictureFiles(language),
  ];
}

/**
 * All files of the manual as a static site, in both languages: pages, what their search reads, and pictures.
 *
 * @throws Error for a link or a picture that does not exist
 */
export function buildSite(assets: SiteAssets): SiteFile[] {
  return MANUAL_LANGUAGES.flatMap((language) => filesOf(language, assets));
}
