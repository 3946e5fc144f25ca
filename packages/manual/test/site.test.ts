import { describe, expect, test } from 'vitest';
import { createRenderer } from '../src/render.ts';
import { buildSite } from '../src/site.ts';

const files = new Map(
  buildSite({ script: '/assets/help-1.js', styles: ['/assets/help-1.css'] }).map(({ path, content }) => [
    `/help/${path}`,
    content,
  ]),
);
const pages = [...files].flatMap(([path, content]) =>
  path.endsWith('.html') ? [{ path, html: content.toString() }] : [],
);
const OWN = new Set(['/favicon.svg', '/assets/help-1.js', '/assets/help-1.css']);

describe('The site of the manual', () => {
  test('starts in Chinese, and has each page in both languages', () => {
    expect(files.get('/help/index.html')).toContain('<html lang="zh-CN">');
    expect(files.get('/help/en/index.html')).toContain('<html lang="en">');
    for (const { path } of pages) {
      const twin = path.startsWith('/help/en/') ? path.replace('/en/', '/') : path.replace('/help/', '/help/en/');
      expect(files.has(twin), twin).toBe(true);
    }
  });

  test('has links, pictures and scripts only to what exists on the same server', () => {
    for (const { path, html } of pages) {
      for (const [, address = ''] of html.matchAll(/(?:href|src|action)="([^"]*)"/g)) {
        const [file = '', anchor] = address.split('#');
        const target = file === '' ? path : file;
        expect(files.has(target) || OWN.has(target), `${path}: ${address}`).toBe(true);
        if (anchor === undefined || target === '/favicon.svg') continue;
        expect(files.get(target)?.toString(), `${path}: ${address}`).toContain(`id="${anchor}"`);
      }
    }
  });

  test('has no script in a page, no style in an element and no text of another server', () => {
    for (const { path, html } of pages) {
      expect(html.match(/<script/g), path).toHaveLength(1);
      expect(html, path).not.toMatch(/ style=| on\w+=|https?:|<iframe|<style/);
      // That of the page, and that of search results, which take its place.
      expect(html.match(/<h1>/g), path).toHaveLength(2);
      expect(html, path).not.toContain('**');
    }
  });

  test('shows HTML of a page as text, and refuses other links and missing pictures', () => {
    const { block } = createRenderer('en', (name) => (name === 'known' ? { width: 800, height: 500 } : null));
    expect(block('<script>alert(1)</script> <b onclick="x()">bold</b>')).not.toMatch(/<script|<b /);
    expect(block('[a](book#series)')).toContain('href="/help/en/book.html#series"');
    expect(block('![A "meeting"](known)')).toContain(
      '<img src="/help/pictures/en/known.webp" width="800" height="500" loading="lazy" alt="A &quot;meeting&quot;">',
    );
    expect(() => block('[a](https://example.org)')).toThrow('no page');
    expect(() => block('[a](nowhere)')).toThrow('no page');
    expect(() => block('![a](unknown)')).toThrow('no picture');
  });
});
