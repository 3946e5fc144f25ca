import { defineTexts, useTexts } from '../../lib/i18n/index.ts';
import type conferences from './locales/zh.json';

declare module '../../lib/i18n/index.ts' {
  interface Texts {
    conferences: typeof conferences;
  }
}

defineTexts('conferences', { zh: () => import('./locales/zh.json'), en: () => import('./locales/en.json') });

/** `t` of this feature. */
export function useT() {
  return useTexts('conferences');
}

export type T = ReturnType<typeof useT>;
