import { defineTexts, useTexts } from '../../../lib/i18n/index.ts';
import type ring from './locales/zh.json';

declare module '../../../lib/i18n/index.ts' {
  interface Texts {
    ring: typeof ring;
  }
}

defineTexts('ring', { zh: () => import('./locales/zh.json'), en: () => import('./locales/en.json') });

/** `t` of calls that ring. */
export function useT() {
  return useTexts('ring');
}
