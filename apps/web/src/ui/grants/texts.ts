import { defineTexts, useTexts } from '../../lib/i18n/index.ts';
import type grants from './locales/zh.json';

declare module '../../lib/i18n/index.ts' {
  interface Texts {
    grants: typeof grants;
  }
}

defineTexts('grants', { zh: () => import('./locales/zh.json'), en: () => import('./locales/en.json') });

/** `t` of a meeting's grants. */
export function useT() {
  return useTexts('grants');
}
