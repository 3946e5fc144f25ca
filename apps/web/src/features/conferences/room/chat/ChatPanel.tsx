import { useEffect, useRef, useState } from 'react';
import type { ChatMessage } from '@rmeet/contract';
import type { Call, ReadableMessage } from '../../../../call/index.ts';
import { reportError } from '../../../../lib/api/index.ts';
import { useT } from '../../texts.ts';
import { useStorePart } from '../../shared/use-store.ts';
import { Panel } from '../Panel.tsx';
import { Message } from './Message.tsx';
import { Composer, type Draft } from './Composer.tsx';
import { useAttachments } from './useAttachments.ts';
import { useFileDrop } from './useFileDrop.ts';
import { Outgoing } from './Outgoing.tsx';
import './chat.css';

const NO_MESSAGES: readonly ReadableMessage[] = [];
/** The list follows new messages within this distance from its end; pixels. */
const AT_END = 60;
/** How long a message that was jumped to is marked, ms. */
const MARKED = 2_000;

/** The chat: messages to all and private ones of the user. */
export function ChatPanel({ call, onClose }: { call: Call; onClose: () => void }) {
  const t = useT();
  const [draft, setDraft] = useState<Draft>({ to: undefined, replyTo: undefined });
  const attachments = useAttachments(call);
  const drop = useFileDrop(attachments.addFrom);
  const followed = useFollowedList();

  useEffect(() => {
    call.setChatOpen(true);
    return () => call.setChatOpen(false);
  }, [call]);
  const say: typeof call.say = async (text, options) => {
    followed.follow();
    // A file that was not sent says so itself.
    await call.say(text, options).catch(options?.file ? () => undefined : reportError);
  };
  const dropWords = draft.to ? t('chatFiles.dropTo', { name: draft.to.name }) : t('chatFiles.drop');
  return (
    <Panel title={t('chat.title')} testId="chat-panel" onClose={onClose}>
      <div className="chat-body" {...drop.handlers}>
        <MessageList call={call} followed={followed} onDraft={setDraft} onSay={say} />
        <Composer call={call} draft={draft} attachments={attachments} onDraft={setDraft} onSay={say} />
        {drop.isOver && (
          <p className="chat-drop" aria-hidden data-testid="chat-drop">
            {attachments.barrier ?? dropWords}
          </p>
        )}
      </div>
    </Panel>
  );
}

interface MessageListProps {
  call: Call;
  followed: ReturnType<typeof useFollowedList>;
  onDraft: (draft: Draft) => void;
  onSay: Call['say'];
}

function MessageList({ call, followed: { list, onScroll }, onDraft, onSay }: MessageListProps) {
  const t = useT();
  const messages = useStorePart(call.store, (state) => state.conference?.messages ?? NO_MESSAGES);
  const outgoing = useStorePart(call.store, (state) => state.outgoing);
  const mayDelete = useStorePart(call.store, (state) => state.conference?.me.can.control ?? false);
  const loadsPictures = useStorePart(call.store, (state) => state.dataMode === 'full');
  const remove = (id: string) =>
    void call.api.deleteMessage({ params: { meetId: call.meetId, id } }).catch(reportError);
  const takeBack = (id: string) => {
    call.takeBack(id);
    // The focus would be lost with the message.
    list.current?.focus({ preventScroll: true });
  };
  return (
    <div ref={list} className="chat-list" role="log" aria-label={t('chat.messages')} tabIndex={0} onScroll={onScroll}>
      {messages.length + outgoing.length === 0 && <p className="chat-empty">{t('chat.empty')}</p>}
      <ol className="chat-messages">
        {messages.map((message) => (
          <Message
            key={message.id}
            message={message}
            original={messages.find(({ id }) => id === message.replyTo)}
            me={call.termId}
            files={call.files}
            loadsPictures={loadsPictures}
            mayDelete={message.termId === call.termId || (mayDelete && message.to === undefined)}
            onReply={() => onDraft(replyTo(message, call.termId))}
            onWrite={() => onDraft({ to: { termId: message.termId, name: message.name }, replyTo: undefined })}
            onDelete={() => remove(message.id)}
            onJump={(id) => jumpTo(list.current, id)}
          />
        ))}
        {outgoing.map((message) => (
          <Outgoing
            key={message.id}
            message={message}
            onAgain={() => void onSay(message.text, { ...message, file: message.file?.content })}
            onTakeBack={() => takeBack(message.id)}
          />
        ))}
      </ol>
    </div>
  );
}

/** The reply to a message; a private one is answered in private. */
function replyTo(message: ChatMessage, me: string): Draft {
  const partner = message.termId === me ? message.to : message;
  return { to: message.to && partner && { termId: partner.termId, name: partner.name }, replyTo: message };
}

/** A list that stays at its end as its content or the space for it changes, unless the user has scrolled up. */
function useFollowedList() {
  const list = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    const toEnd = () => {
      if (follows.current) list.current?.scrollTo({ top: list.current.scrollHeight });
    };
    // Messages also grow by themselves: what is being sent becomes a picture.
    const watcher = new ResizeObserver(toEnd);
    for (const element of [list.current, list.current?.lastElementChild]) if (element) watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  return {
    list,
    follow: () => {
      follows.current = true;
    },
    onScroll: () => {
      if (list.current === null) return;
      const { scrollHeight, scrollTop, clientHeight } = list.current;
      follows.current = scrollHeight - scrollTop - clientHeight < AT_END;
    },
  };
}

/** Scrolls to a message, focuses and marks it. */
function jumpTo(list: HTMLElement | null, id: string): void {
  const message = list?.querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"]`);
  if (!message) return;
  message.scrollIntoView({ block: 'center' });
  message.focus({ preventScroll: true });
  message.classList.add('chat-message-marked');
  setTimeout(() => message.classList.remove('chat-message-marked'), MARKED);
}
