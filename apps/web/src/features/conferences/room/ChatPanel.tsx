import { useEffect, useLayoutEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { LIMITS, type ChatMessage } from '@rmeet/contract';
import type { Call } from '../../../call/index.ts';
import { reportError } from '../../../lib/api/index.ts';
import { useLanguage } from '../../../lib/i18n/index.ts';
import { Icon } from '../../../ui/icons.tsx';
import { chatParts } from './model/chat-links.ts';
import { useT } from '../texts.ts';
import { useStorePart } from '../shared/use-store.ts';
import { Panel } from './Panel.tsx';

const NO_MESSAGES: readonly ChatMessage[] = [];
/** The list follows new messages within this distance from its end; pixels. */
const AT_END = 60;

export function ChatPanel({ call, onClose }: { call: Call; onClose: () => void }) {
  const t = useT();
  const messages = useStorePart(call.store, (state) => state.conference?.messages ?? NO_MESSAGES);
  const outgoing = useStorePart(call.store, (state) => state.outgoing);
  const list = useRef<HTMLDivElement>(null);
  const follows = useRef(true);

  useEffect(() => {
    call.setChatOpen(true);
    return () => call.setChatOpen(false);
  }, [call]);
  const count = messages.length + outgoing.length;
  useLayoutEffect(() => {
    if (count > 0 && follows.current) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [count]);

  const say = (text: string, id?: string) => {
    follows.current = true;
    call.say(text, id).catch(reportError);
  };

  return (
    <Panel title={t('chat.title')} testId="chat-panel" onClose={onClose}>
      <div
        ref={list}
        className="chat-list"
        role="log"
        aria-label={t('chat.messages')}
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          follows.current = scrollHeight - scrollTop - clientHeight < AT_END;
        }}
      >
        {count === 0 && <p className="chat-empty">{t('chat.empty')}</p>}
        <ol className="chat-messages">
          {messages.map((message) => (
            <Message key={message.id} message={message} own={message.termId === call.termId} />
          ))}
          {outgoing.map(({ id, text, state }) => (
            <li key={id} className="chat-message chat-message-own" data-testid="chat-outgoing">
              <p className="chat-text">{text}</p>
              <p className="chat-meta">
                {state === 'sending' ? (
                  t('chat.sending')
                ) : (
                  <>
                    <span className="chat-failed">{t('chat.failed')}</span>{' '}
                    <button type="button" className="link-button" onClick={() => say(text, id)}>
                      {t('chat.again')}
                    </button>
                  </>
                )}
              </p>
            </li>
          ))}
        </ol>
      </div>
      <Composer onSay={say} />
    </Panel>
  );
}

function Message({ message, own }: { message: ChatMessage; own: boolean }) {
  const t = useT();
  const language = useLanguage();
  const time = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' }).format(
    new Date(message.sentAt),
  );
  return (
    <li className={own ? 'chat-message chat-message-own' : 'chat-message'} data-testid="chat-message">
      <p className="chat-meta">
        <span className="chat-name">{own ? t('chat.me') : message.name}</span>{' '}
        <time dateTime={message.sentAt}>{time}</time>
      </p>
      <p className="chat-text">
        {chatParts(message.text).map((part) =>
          'href' in part ? (
            <a key={part.start} href={part.href} target="_blank" rel="noopener noreferrer nofollow">
              {part.text}
            </a>
          ) : (
            part.text
          ),
        )}
      </p>
    </li>
  );
}

function Composer({ onSay }: { onSay: (text: string) => void }) {
  const t = useT();
  const [text, setText] = useState('');
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => input.current?.focus({ preventScroll: true }), []);

  const submit = () => {
    if (text.trim() === '') return;
    onSay(text.trim());
    setText('');
    input.current?.focus();
  };
  const keyDown = (event: KeyboardEvent) => {
    // Enter also confirms the choice of a Chinese input method; that must not send.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  return (
    <form
      className="chat-composer"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        submit();
      }}
    >
      <textarea
        ref={input}
        value={text}
        rows={2}
        maxLength={LIMITS.chatText}
        placeholder={t('chat.input')}
        aria-label={t('chat.input')}
        aria-describedby="chat-hint"
        enterKeyHint="send"
        data-testid="chat-input"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={keyDown}
      />
      <button
        type="submit"
        className="room-icon-button chat-send"
        aria-label={t('chat.send')}
        disabled={text.trim() === ''}
        data-testid="chat-send"
      >
        <Icon name="send" size={20} />
      </button>
      <p id="chat-hint" className="chat-hint">
        {t('chat.hint')}
      </p>
    </form>
  );
}
