import type { BroadcastMessage } from '@rmeet/contract';
import dayjs from 'dayjs';
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useT } from '../texts.ts';

interface MessagesProps<Message extends BroadcastMessage> {
  kind: BroadcastMessage['kind'];
  messages: readonly Message[];
  /** Ids of the viewer's own. */
  own: ReadonlySet<string>;
  /** What a moderator can do with one. */
  renderTools?: (message: Message) => ReactNode;
}

/** This close to the end, new messages are followed; px. */
const AT_END = 60;

/** The chat or the questions, the newest at the end. */
export function Messages<Message extends BroadcastMessage>({
  kind,
  messages,
  own,
  renderTools,
}: MessagesProps<Message>) {
  const t = useT();
  const list = useRef<HTMLDivElement>(null);
  const [isFollowing, setFollowing] = useState(true);
  const last = messages.at(-1)?.id;
  const toEnd = () => scrollToEnd(list.current);
  useLayoutEffect(() => {
    if (isFollowing && last !== undefined) scrollToEnd(list.current);
  }, [last, isFollowing]);
  return (
    <div className="watch-messages">
      <div
        ref={list}
        className="watch-list"
        role="log"
        aria-label={t(`side.${kind}`)}
        tabIndex={0}
        data-testid={`watch-${kind}-list`}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
          setFollowing(scrollHeight - scrollTop - clientHeight < AT_END)
        }
      >
        {messages.length === 0 && <p className="watch-none">{t(`none.${kind}`)}</p>}
        {messages.map((message) => (
          <Message key={message.id} message={message} isOwn={own.has(message.id)} tools={renderTools?.(message)} />
        ))}
      </div>
      {!isFollowing && messages.length > 0 && (
        <button type="button" className="watch-to-end" onClick={toEnd}>
          {t('side.toEnd')}
        </button>
      )}
    </div>
  );
}

function scrollToEnd(list: HTMLElement | null): void {
  if (list) list.scrollTop = list.scrollHeight;
}

interface MessageProps {
  message: BroadcastMessage;
  isOwn: boolean;
  tools: ReactNode;
}

function Message({ message, isOwn, tools }: MessageProps) {
  const t = useT();
  const { name, at, text, isHost, state, answer } = message;
  return (
    <div className="watch-message" data-own={isOwn} data-state={state} data-testid="watch-message">
      <p className="watch-message-head">
        <b>{name}</b>
        {isHost && <span className="watch-tag">{t('message.host')}</span>}
        {state === 'held' && <span className="watch-tag watch-tag-held">{t('message.held')}</span>}
        <time dateTime={at}>{dayjs(at).format('HH:mm')}</time>
      </p>
      <p className="watch-message-text">{text}</p>
      {answer !== null && (
        <p className="watch-answer" data-testid="watch-answer">
          <b>{t('message.answer')}</b>
          {answer}
        </p>
      )}
      {tools}
    </div>
  );
}
