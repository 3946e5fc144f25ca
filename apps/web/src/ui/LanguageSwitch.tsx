import { LOCALES } from '@rmeet/contract';
import { switchLanguage, useLanguage, useTexts } from '../lib/i18n/index.ts';
import './languageSwitch.css';

/** Both languages by their own names; the current one is pressed. */
export function LanguageSwitch() {
  const t = useTexts('common');
  const language = useLanguage();
  return (
    <div className="language-switch" role="group" aria-label={t('language.label')}>
      {LOCALES.map((locale) => (
        <button
          key={locale}
          type="button"
          lang={locale}
          aria-pressed={locale === language}
          data-testid={`language-${locale}`}
          onClick={() => void switchLanguage(locale)}
        >
          {t(`language.${locale}`)}
        </button>
      ))}
    </div>
  );
}
