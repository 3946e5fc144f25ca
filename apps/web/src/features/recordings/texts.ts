import { defineTexts, useTexts } from '../../lib/i18n/index.ts';
import type zh from './locales/zh.json';

declare module '../../lib/i18n/index.ts' {
  interface Texts {
    recordings: typeof zh;
  }
}

defineTexts('recordings', { zh: () => import('./locales/zh.json'), en: () => import('./locales/en.json') });

/** The texts of recordings. */
export const useT = () => useTexts('recordings');
export type RecordingTexts = ReturnType<typeof useT>;
