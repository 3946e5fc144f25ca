import { fieldsOfKind, unknownFields, type NoticeField, type NoticeText } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { Input } from 'antd';
import { useRef, useState } from 'react';
import { api } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { ask, toast } from '../../../lib/notify.ts';
import { FormDrawer } from '../../../ui/admin/FormDrawer.tsx';
import { useForm } from '../../../ui/admin/useForm.ts';
import { Button } from '../../../ui/Button.tsx';
import { FormField } from '../../../ui/FormField.tsx';
import { useRefreshTexts } from './queries.ts';
import { TextPreview } from './TextPreview.tsx';

interface TextDrawerProps {
  text: NoticeText;
  title: string;
  onClose: () => void;
}

/** The editable parts of a text; only mails have a `subject`. */
interface Words {
  subject: string;
  text: string;
}

/** One text: its template with placeholders, its preview, and the reset to the built-in text. */
export function TextDrawer({ text, title, onClose }: TextDrawerProps) {
  const t = useTexts('notices');
  const refresh = useRefreshTexts();
  const { kind, channel, locale } = text;
  const key = { kind, channel, locale };
  const form = useForm<Words, NoticeText>({
    initial: { subject: text.subject, text: text.text },
    keepAs: `notice-text:${kind}.${channel}.${locale}`,
    check: (words) => faultsOf(words, channel, t),
    send: (words) => api.notices.saveText({ body: { ...key, ...words } }),
    fieldOf: { NOTICE_TEXT_UNKNOWN_FIELD: 'text' },
    onSaved: () => {
      void refresh();
      toast('success', () => t('saved'));
      onClose();
    },
  });
  const reset = useMutation({
    mutationFn: () => api.notices.resetText({ query: key }),
    onSuccess: () => {
      void refresh();
      toast('success', () => t('wasReset'));
      onClose();
    },
  });
  const confirmReset = async () => {
    if (
      await ask({
        title: t('reset'),
        text: t('resetText'),
        okText: t('resetOk'),
        cancelText: t('resetNot'),
        danger: true,
      })
    )
      reset.mutate();
  };
  const { draft, errors, change } = form;
  return (
    <FormDrawer title={title} open onClose={onClose} form={form} testId="notice-text-drawer">
      <WordsFields kind={kind} hasSubject={channel === 'mail'} draft={draft} errors={errors} onChange={change} />
      <TextPreview words={{ ...key, ...draft }} />
      {!text.isBuiltIn && (
        <div>
          <Button busy={reset.isPending} data-testid="notice-text-reset" onClick={() => void confirmReset()}>
            {t('reset')}
          </Button>
        </div>
      )}
    </FormDrawer>
  );
}

function faultsOf({ subject, text }: Words, channel: NoticeText['channel'], t: ReturnType<typeof useTexts<'notices'>>) {
  const unknown = (words: string) =>
    unknownFields(words)
      .map((name) => `{${name}}`)
      .join(', ');
  const ofSubject =
    channel === 'mail' && subject.trim() === ''
      ? t('invalid.subject')
      : unknown(subject) === ''
        ? undefined
        : t('invalid.unknown', { fields: unknown(subject) });
  const ofText =
    text.trim() === ''
      ? t('invalid.text')
      : unknown(text) === ''
        ? undefined
        : t('invalid.unknown', { fields: unknown(text) });
  return {
    ...(ofSubject === undefined ? {} : { subject: ofSubject }),
    ...(ofText === undefined ? {} : { text: ofText }),
  };
}

/** Inserts placeholders at the last cursor position. */
function useInsertion(draft: Words, onChange: (part: Partial<Words>) => void) {
  const [into, setInto] = useState<keyof Words>('text');
  const place = useRef({ start: draft.text.length, end: draft.text.length });
  const root = useRef<HTMLDivElement>(null);
  const remember = (field: keyof Words, target: EventTarget) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    setInto(field);
    place.current = {
      start: target.selectionStart ?? target.value.length,
      end: target.selectionEnd ?? target.value.length,
    };
  };
  const insert = (field: NoticeField) => {
    const { start, end } = place.current;
    const named = `{${field}}`;
    onChange({ [into]: draft[into].slice(0, start) + named + draft[into].slice(end) });
    place.current = { start: start + named.length, end: start + named.length };
    const { start: at } = place.current;
    requestAnimationFrame(() => {
      const control = root.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[data-words="${into}"]`);
      control?.focus();
      control?.setSelectionRange(at, at);
    });
  };
  return { root, remember, insert };
}

interface WordsFieldsProps {
  kind: NoticeText['kind'];
  hasSubject: boolean;
  draft: Words;
  errors: Partial<Record<keyof Words, string>>;
  onChange: (part: Partial<Words>) => void;
}

/** Subject and text, with placeholders that are inserted at the last cursor position. */
function WordsFields({ kind, hasSubject, draft, errors, onChange }: WordsFieldsProps) {
  const t = useTexts('notices');
  const { root, remember, insert } = useInsertion(draft, onChange);
  return (
    <div className="notice-words" ref={root}>
      {hasSubject && (
        <FormField label={t('subject')} required error={errors.subject}>
          {(control) => (
            <Input
              {...control}
              value={draft.subject}
              maxLength={200}
              data-words="subject"
              data-testid="notice-text-subject"
              onSelect={({ target }) => remember('subject', target)}
              onChange={({ target }) => {
                onChange({ subject: target.value });
                remember('subject', target);
              }}
            />
          )}
        </FormField>
      )}
      <FormField label={t('text')} required error={errors.text} hint={t('textHint')}>
        {(control) => (
          <Input.TextArea
            {...control}
            value={draft.text}
            maxLength={4_000}
            autoSize={{ minRows: 6, maxRows: 16 }}
            data-words="text"
            data-testid="notice-text-text"
            onSelect={({ target }) => remember('text', target)}
            onChange={({ target }) => {
              onChange({ text: target.value });
              remember('text', target);
            }}
          />
        )}
      </FormField>
      <div className="notice-chips" role="group" aria-label={t('insert')}>
        {fieldsOfKind(kind).map((field) => (
          <button
            key={field}
            type="button"
            title={`{${field}}`}
            data-testid={`notice-chip-${field}`}
            onClick={() => insert(field)}
          >
            {t(`field.${field}`)}
          </button>
        ))}
      </div>
    </div>
  );
}
