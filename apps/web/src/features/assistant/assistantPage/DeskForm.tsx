import { decodeContact } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api, sentenceOf } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';

interface DeskFormProps {
  about: Awaited<ReturnType<typeof api.assistant.about>>;
  /** The last question, to begin with. */
  question: string;
  tried: readonly string[];
}

const LONGEST = 2_000;

/** Hands a question over to the service desk, by mail. */
export function DeskForm({ about, question, tried }: DeskFormProps) {
  const t = useTexts('assistantPage');
  const [isOpen, setOpen] = useState(false);
  const [isSent, setSent] = useState(false);
  const { name, phoneNumber } = about.serviceDesk;
  const phone = decodeContact(phoneNumber);

  if (isSent)
    return (
      <p className="assistant-desk" role="status" data-testid="desk-sent">
        {t('desk.sent')}
      </p>
    );
  return (
    <section className="assistant-desk" aria-label={t('desk.title')}>
      {(name !== '' || phone !== '') && <p>{t('desk.phone', { name, phone })}</p>}
      {!about.hasDesk && <p>{t('desk.missing')}</p>}
      {about.hasDesk && !isOpen && (
        <Button data-testid="desk-open" onClick={() => setOpen(true)}>
          {t('desk.open')}
        </Button>
      )}
      {isOpen && (
        <MessageForm question={question} tried={tried} onSent={() => setSent(true)} onCancel={() => setOpen(false)} />
      )}
    </section>
  );
}

interface MessageFormProps extends Pick<DeskFormProps, 'question' | 'tried'> {
  onSent: () => void;
  onCancel: () => void;
}

function MessageForm({ question, tried, onSent, onCancel }: MessageFormProps) {
  const t = useTexts('assistantPage');
  const [message, setMessage] = useState(question);
  const id = useId();
  const send = useMutation({
    mutationFn: () => api.assistant.handOver({ body: { question: message.trim(), tried: [...tried] } }),
    onSuccess: onSent,
    meta: { quiet: true },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (message.trim() !== '') send.mutate();
      }}
    >
      <label htmlFor={id}>{t('desk.message')}</label>
      <textarea
        id={id}
        rows={4}
        maxLength={LONGEST}
        value={message}
        data-testid="desk-message"
        onChange={({ target }) => setMessage(target.value)}
      />
      <p className="assistant-note">{t('desk.tried')}</p>
      {send.isError && (
        <p className="assistant-fault" role="alert" data-testid="desk-fault">
          {sentenceOf(send.error) ?? t('failed')}
        </p>
      )}
      <div className="assistant-buttons">
        <Button type="submit" kind="primary" busy={send.isPending} data-testid="desk-send">
          {t('desk.send')}
        </Button>
        <Button data-testid="desk-cancel" onClick={onCancel}>
          {t('desk.cancel')}
        </Button>
      </div>
    </form>
  );
}
