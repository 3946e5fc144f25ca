import type { ChatMessage } from '@rmeet/contract';
import { LinkedText } from '../../ui/LinkedText.tsx';
import { useTexts } from '../../lib/i18n/index.ts';
import { formatMoment } from '../../lib/time.ts';
import { FileCard } from '../../ui/files/FileCard.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { recordFiles, useRecordChat } from './queries.ts';

/** The chat of a past meeting with its files; nothing if there are no messages. */
export function ChatSection({ id, isRunning }: { id: string; isRunning: boolean }) {
  const t = useTexts('history');
  const { data, isError, refetch } = useRecordChat(id, isRunning);
  if (!isError && (data === undefined || data.messages.length === 0)) return null;
  return (
    <section className="history-section" data-testid="record-chat">
      <h2>{t('recordChat.title')}</h2>
      {data === undefined ? (
        <ErrorState retry={() => void refetch()} />
      ) : (
        <>
          <p className="history-hint">{t(data.isCut ? 'recordChat.cut' : 'recordChat.hint')}</p>
          <ol className="record-chat">
            {data.messages.map((message) => (
              <Message key={message.id} message={message} />
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function Message({ message: { name, sentAt, to, text, file, deleted } }: { message: ChatMessage }) {
  const t = useTexts('history');
  return (
    <li data-testid="record-message">
      <p className="record-chat-meta">
        <strong>{name}</strong> {to && <span>{t('recordChat.privateTo', { name: to.name })} </span>}
        <time dateTime={sentAt}>{formatMoment(sentAt)}</time>
      </p>
      {deleted === true && <p className="record-chat-deleted">{t('recordChat.deleted')}</p>}
      {text !== '' && (
        <p className="record-chat-text">
          <LinkedText text={text} />
        </p>
      )}
      {file && <FileCard file={file} source={recordFiles} loadsPictures />}
    </li>
  );
}
