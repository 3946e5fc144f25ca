import { ANNOUNCEMENT_LIMITS } from '@rmeet/contract';
import { Input, type GetRef } from 'antd';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { FormField } from '../../../ui/FormField.tsx';
import { AnnouncementText } from '../AnnouncementText.tsx';
import { marked, type Mark } from './marks.ts';
import './writing.css';

const MARKS = ['bold', 'heading', 'list', 'link'] as const satisfies readonly Mark[];

interface BodyFieldProps {
  body: string;
  error: string | undefined;
  onChange: (body: string) => void;
}

/** The text of an announcement, with buttons for its marks and a preview. */
export function BodyField({ body, error, onChange }: BodyFieldProps) {
  const t = useTexts('writing');
  const area = useRef<GetRef<typeof Input.TextArea>>(null);
  const [isPreview, setPreview] = useState(false);

  const mark = (kind: Mark) => {
    const element = area.current?.resizableTextArea?.textArea;
    if (!element) return;
    const next = marked(body, kind, {
      from: element.selectionStart,
      until: element.selectionEnd,
      words: t('mark.words'),
    });
    if (next.text.length > ANNOUNCEMENT_LIMITS.body) return;
    // In the page at once: a key that is pressed now belongs to the new selection.
    flushSync(() => onChange(next.text));
    element.focus();
    element.setSelectionRange(next.from, next.until);
  };

  return (
    <div className="announcement-body">
      <FormField label={t('form.body')} required error={error} hint={t('form.bodyHint')}>
        {(control) => (
          <Input.TextArea
            {...control}
            ref={area}
            value={body}
            maxLength={ANNOUNCEMENT_LIMITS.body}
            autoSize={{ minRows: 6, maxRows: 16 }}
            data-testid="field-body"
            onChange={({ target }) => onChange(target.value)}
          />
        )}
      </FormField>
      <div className="announcement-marks" role="group" aria-label={t('mark.label')}>
        {MARKS.map((kind) => (
          <Button key={kind} data-testid={`mark-${kind}`} onClick={() => mark(kind)}>
            {t(`mark.${kind}`)}
          </Button>
        ))}
        <Button
          kind="quiet"
          aria-pressed={isPreview}
          data-testid="body-preview"
          onClick={() => setPreview((was) => !was)}
        >
          {t('form.preview')}
        </Button>
      </div>
      {isPreview && (
        <section className="announcement-preview" aria-label={t('form.preview')} data-testid="announcement-preview">
          {body.trim() === '' ? <p className="admin-form-hint">{t('form.previewEmpty')}</p> : null}
          <AnnouncementText body={body} />
        </section>
      )}
    </div>
  );
}
