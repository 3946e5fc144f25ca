import { defineTexts, useTexts } from '../../lib/i18n/index.ts';
import type zh from './locales/zh.json';

declare module '../../lib/i18n/index.ts' {
  interface Texts {
    live: typeof zh;
  }
}

defineTexts('live', { zh: () => import('./locales/zh.json'), en: () => import('./locales/en.json') });

/** The texts of live broadcasts. */
export const useT = () => useTexts('live');
export type LiveTexts = ReturnType<typeof useT>;
