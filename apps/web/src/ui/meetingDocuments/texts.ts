import { defineTexts } from '../../lib/i18n/index.ts';
import type zh from './locales/zh.json';

declare module '../../lib/i18n/index.ts' {
  interface Texts {
    meetingDocuments: typeof zh;
  }
}

defineTexts('meetingDocuments', { zh: () => import('./locales/zh.json'), en: () => import('./locales/en.json') });
