import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { accentOf } from '../src/ui/accent.ts';
import { tokens } from '../src/ui/tokens.ts';
import { sourcePath } from './support.ts';

/** WCAG 2.2 contrast ratio of two colours `#rrggbb`. */
function contrast(a: string, b: string): number {
  const luminance = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

test('plain CSS and antd have the same colours', async () => {
  const css = await readFile(sourcePath('ui/base.css'), 'utf8');
  for (const [name, colour] of Object.entries(tokens)) {
    const property = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    expect(css, name).toContain(`--${property}: ${colour};`);
  }
});

test('text reaches 4.5:1 and control borders 3:1', () => {
  for (const background of [tokens.surface, tokens.background]) {
    for (const name of ['text', 'textSecondary', 'primary', 'success', 'warning', 'danger'] as const) {
      expect(contrast(tokens[name], background), name).toBeGreaterThanOrEqual(4.5);
    }
    expect(contrast(tokens.controlBorder, tokens.surface)).toBeGreaterThanOrEqual(3);
  }
  expect(contrast(tokens.sidebarText, tokens.sidebar)).toBeGreaterThanOrEqual(4.5);
  expect(contrast('#ffffff', tokens.sidebarActive)).toBeGreaterThanOrEqual(4.5);
});

test.each(['#ffff00', '#ffffff', '#00a0e9', '#e60012', '#1458a6', '#000000'])(
  'a tenant in %s has readable text',
  (colour) => {
    const { primary, primaryStrong, primarySoft } = accentOf(colour);
    for (const background of [tokens.surface, tokens.background, primarySoft]) {
      for (const text of [primary, primaryStrong]) expect(contrast(text, background)).toBeGreaterThanOrEqual(4.5);
    }
  },
);

test('a readable tenant colour stays unchanged', () => {
  expect(accentOf('#1458a6').primary).toBe('#1458a6');
});
