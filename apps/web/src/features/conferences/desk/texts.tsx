import { createContext, useContext, type ReactNode } from 'react';
import { defineTexts, useTexts } from '../../../lib/i18n/index.ts';
import type desk from './locales/zh.json';

declare module '../../../lib/i18n/index.ts' {
  interface Texts {
    desk: typeof desk;
  }
}

defineTexts('desk', { zh: () => import('./locales/zh.json'), en: () => import('./locales/en.json') });

export type T = ReturnType<typeof useTexts<'desk'>>;

const TextsContext = createContext<T | null>(null);

/** Creates the page's `t` once for all components: a list of a hundred rows uses it a thousand times. */
export function DeskTexts({ children }: { children: ReactNode }) {
  const t = useTexts('desk');
  return <TextsContext value={t}>{children}</TextsContext>;
}

/** `t` of the desk. */
export function useT(): T {
  const t = useContext(TextsContext);
  if (t === null) throw new Error('outside of the texts of a desk');
  return t;
}
