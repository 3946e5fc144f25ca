import { ASSISTANT_LIMITS } from '@rmeet/contract';
import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';

/** The field for questions at the lower edge. Enter sends, Shift and Enter begin a line. */
export function QuestionForm({ isAsking, onAsk }: { isAsking: boolean; onAsk: (question: string) => void }) {
  const t = useTexts('assistantPage');
  const [text, setText] = useState('');
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();

  useEffect(() => field.current?.focus(), []);

  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isAsking) return;
    const question = text.trim();
    setMissing(question === '');
    if (question === '') {
      field.current?.focus();
      return;
    }
    onAsk(question);
    setText('');
  };

  return (
    <form className="assistant-form" onSubmit={send}>
      <label htmlFor={id} className="visually-hidden">
        {t('question')}
      </label>
      <textarea
        ref={field}
        id={id}
        rows={2}
        value={text}
        maxLength={ASSISTANT_LIMITS.question}
        placeholder={t('placeholder')}
        aria-invalid={isMissing}
        aria-describedby={isMissing ? `${id}-note` : undefined}
        data-testid="assistant-question"
        onChange={({ target }) => {
          setText(target.value);
          setMissing(false);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) send(event);
        }}
      />
      <Button type="submit" kind="primary" busy={isAsking} data-testid="assistant-send">
        {t('send')}
      </Button>
      {isMissing && (
        <p id={`${id}-note`} role="alert" className="assistant-fault" data-testid="assistant-missing">
          {t('invalid.empty')}
        </p>
      )}
    </form>
  );
}
