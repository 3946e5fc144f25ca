import { DEFAULT_LOCALE, LOCALES, type Locale } from '@rmeet/contract';
import i18next, { type BackendModule, type ReadCallback } from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
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

/**
 * Declares the texts of a namespace. They are fetched at once for the language in use,
 * and for the other one when the user switches.
 */
export function defineTexts(namespace: keyof Texts, loader: Loader): void {
  loaders.set(namespace, loader);
  if (i18next.isInitialized) void i18next.loadNamespaces(namespace);
}

/** `t` of a namespace; the component waits (Suspense) until its texts are there. */
export function useTexts<N extends keyof Texts>(namespace: N) {
  return useTranslation(namespace).t;
}

const backend: BackendModule = {
  type: 'backend',
  init() {
    // nothing to set up: the loaders are in the bundle
  },
  read(locale: string, namespace: string, done: ReadCallback) {
    const load = loaders.get(namespace)?.[locale as Locale];
    if (!load) {
      done(new Error(`no texts for ${namespace} in ${locale}`), false);
      return;
    }
    load().then((module) => done(null, module.default), (error: Error) => done(error, false));
  },
};

defineTexts('common', { zh: () => import('./locales/zh.json'), en: () => import('./locales/en.json') });

/** Starts with {@link firstLanguage}. */
export async function startI18n(): Promise<void> {
  await i18next.use(backend).use(initReactI18next).init({
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
  return i18next.language as Locale;
}

/** Re-renders the component when the language changes. */
export function useLanguage(): Locale {
  return useTranslation().i18n.language as Locale;
}

/** Switches the language and remembers it. */
export async function switchLanguage(locale: Locale): Promise<void> {
  localStorage.setItem(STORAGE_KEY, locale);
  await i18next.changeLanguage(locale);
  showInDocument(locale);
}

/** A text of the namespace `common`, for code outside React. */
export function text(key: string): string {
  return (i18next.t as (key: string) => string)(key);
}

/** The language chosen before, else the browser's first one that there are texts for, else Chinese. */
function firstLanguage(): Locale {
  const wanted = [localStorage.getItem(STORAGE_KEY) ?? '', ...navigator.languages];
  const known = wanted.flatMap((tag) => LOCALES.filter((locale) => tag.split('-')[0] === locale));
  return known[0] ?? DEFAULT_LOCALE;
}

function showInDocument(locale: Locale): void {
  document.documentElement.lang = locale === 'zh' ? 'zh-CN' : 'en';
}
