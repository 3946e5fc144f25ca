import { unknownFields, type NoticeText } from '@rmeet/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';

type Words = Omit<NoticeText, 'isBuiltIn'>;

/** Typing pause before the preview is requested; ms. */
const PAUSE = 300;

/** The rendered text for a sample meeting, as the server produces it. */
export function TextPreview({ words }: { words: Words }) {
  const t = useTexts('notices');
  const typed = JSON.stringify(words);
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  const asked = JSON.parse(settled) as Words;
  const isWhole =
    asked.text.trim() !== '' &&
    (asked.channel === 'sms' || asked.subject.trim() !== '') &&
    unknownFields(asked.subject + asked.text).length === 0;
  const { data, isError } = useQuery({
    queryKey: ['notice-preview', settled],
    queryFn: () => api.notices.previewText({ body: asked }),
    enabled: isWhole,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  return (
    <section className="notice-preview" aria-labelledby="notice-preview-title" data-testid="notice-preview">
      <h3 id="notice-preview-title">{t('preview')}</h3>
      {isError && <p role="alert">{t('previewFailed')}</p>}
      {!isWhole && <p className="notice-preview-none">{t('previewNone')}</p>}
      {isWhole && data && (
        <>
          {data.subject !== '' && <strong>{data.subject}</strong>}
          {data.html === '' ? (
            <p className="notice-preview-text">{data.text}</p>
          ) : (
            // Rendered by the server from user input, so it is shown as in a mail program, without scripts. A new
            // iframe each time: changing the document of an existing one adds history entries, which the user would
            // have to go back through.
            <iframe key={data.html} title={t('preview')} sandbox="" srcDoc={data.html} />
          )}
          {words.channel === 'sms' && <small>{t('parts', { count: data.parts })}</small>}
        </>
      )}
    </section>
  );
}
