import { useState } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { Segments } from '../../ui/Segments.tsx';
import { Code } from './Code.tsx';
import { EXAMPLES, LANGUAGES, type Language } from './examples.ts';

/** Programs to begin with. */
export function Examples() {
  const t = useTexts('apiReference');
  const [language, setLanguage] = useState<Language>('curl');
  return (
    <section aria-labelledby="api-examples">
      <h2 id="api-examples">{t('examples.title')}</h2>
      <p>{t('examples.lead')}</p>
      <Segments
        label={t('examples.language')}
        values={LANGUAGES}
        chosen={language}
        textOf={(one) => t(`examples.${one}`)}
        onChoose={setLanguage}
        testId="language"
      />
      {EXAMPLES.map(({ key, texts }) => (
        <Code key={key} label={t(`examples.${key}`)} text={texts[language]} />
      ))}
    </section>
  );
}
