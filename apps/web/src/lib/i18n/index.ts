import { DEFAULT_LOCALE, LOCALES, type Locale } from '@rmeet/contract';
import { createInstance, type BackendModule } from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import { loadChunk } from '../chunks.ts';
import type common from './locales/zh.json';

/** Namespace by namespace, the shape of its texts. Features add theirs by declaring into this. */
export interface Texts {
  common: typeof common;
}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: Texts;
  }
}

type Loader = Record<Locale, () => Promise<{ default: object }>>;

const STORAGE_KEY = 'locale';
const loaders = new Map<string, Loader>();
const i18n = createInstance();

/**
 * Declares the texts of a namespace. They are fetched at once for the language in use,
 * and for the other one when the user switches.
 */
export function defineTexts(namespace: keyof Texts, loader: Loader): void {
  loaders.set(namespace, loader);
  if (i18n.isInitialized) void i18n.loadNamespaces(namespace);
}

/** `t` of a namespace; the component waits (Suspense) until its texts are there. */
export function useTexts<N extends keyof Texts>(namespace: N) {
  return useTranslation(namespace).t;
}

const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  // i18next waits for the promise of a `read` of two parameters.
  read: async (locale: string, namespace: string) => {
    const load = loaders.get(namespace)?.[locale as Locale];
    if (!load) throw new Error(`no texts for ${namespace} in ${locale}`);
    return (await load()).default;
  },
};

defineTexts('common', { zh: () => import('./locales/zh.json'), en: () => import('./locales/en.json') });

/** Starts with {@link firstLanguage}. */
export async function startI18n(): Promise<void> {
  await i18n.use(backend).use(initReactI18next).init({
    lng: firstLanguage(),
    fallbackLng: false,
    ns: ['common'],
    defaultNS: 'common',
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  showInDocument(language());
}

/** The language in use. */
export function language(): Locale {
  return i18n.language as Locale;
}

/** Re-renders the component when the language changes. */
export function useLanguage(): Locale {
  return useTranslation().i18n.language as Locale;
}

/** Switches the language and remembers it. Rejects with ChunkError, changing nothing, when its texts do not load. */
export async function switchLanguage(locale: Locale): Promise<void> {
  await loadChunk(() => Promise.all([...loaders.values()].map((load) => load[locale]())));
  localStorage.setItem(STORAGE_KEY, locale);
  await i18n.changeLanguage(locale);
  showInDocument(locale);
}

/** A text of the namespace `common`, for code outside React. */
export function text(key: string): string {
  return (i18n.t as (key: string) => string)(key);
}

/** The language chosen before, else Chinese, whatever the browser speaks (product document, section 9). */
function firstLanguage(): Locale {
  const chosen = localStorage.getItem(STORAGE_KEY);
  return LOCALES.find((locale) => locale === chosen) ?? DEFAULT_LOCALE;
}

function showInDocument(locale: Locale): void {
  document.documentElement.lang = locale === 'zh' ? 'zh-CN' : 'en';
}
