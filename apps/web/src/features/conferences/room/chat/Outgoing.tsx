import type { OutgoingMessage } from '../../../../call/index.ts';
import { useT } from '../../texts.ts';

/** An own message that is being sent, or was not sent. */
export function Outgoing({ message, onAgain }: { message: OutgoingMessage; onAgain: () => void }) {
  const t = useT();
  return (
    <li className="chat-message chat-message-own" data-testid="chat-outgoing">
      {message.to && <p className="chat-meta chat-private">{t('chatMore.privateTo', { name: message.to.name })}</p>}
      <p className="chat-text">{message.text}</p>
      <p className="chat-meta">
        {message.state === 'sending' ? (
          t('chat.sending')
        ) : (
          <>
            <span className="chat-failed">{t('chat.failed')}</span>{' '}
            <button type="button" className="link-button" onClick={onAgain}>
              {t('chat.again')}
            </button>
          </>
        )}
      </p>
    </li>
  );
}
