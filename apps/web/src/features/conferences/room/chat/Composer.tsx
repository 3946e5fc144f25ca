import { lazy, Suspense, useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { leads, type ConferenceControl } from '@rmeet/conference';
import { LIMITS, type ChatMessage } from '@rmeet/contract';
import type { Call } from '../../../../call/index.ts';
import { loadChunk } from '../../../../lib/chunks.ts';
import { Icon } from '../../../../ui/icons.tsx';
import { summaryOf } from '../model/chat-files.ts';
import { chatPartners, type ChatPartners } from '../model/chat-partners.ts';
import { useStorePart } from '../../shared/use-store.ts';
import { useT, type T } from '../../texts.ts';
import { AttachButton, AttachedFiles } from './AttachedFiles.tsx';
import type { Attachments } from './useAttachments.ts';

const EmojiPicker = lazy(() => loadChunk(async () => ({ default: (await import('./EmojiPicker.tsx')).EmojiPicker })));

/** What the next message is: for whom, and what it answers. */
export interface Draft {
  /** Undefined for all. */
  to: ChatMessage['to'];
  replyTo: ChatMessage | undefined;
}

interface ComposerProps {
  call: Call;
  draft: Draft;
  attachments: Attachments;
  onDraft: (draft: Draft) => void;
  onSay: Call['say'];
}

/** Where messages are written; a sentence where the chair does not allow it. */
export function Composer({ call, draft, attachments, onDraft, onSay }: ComposerProps) {
  const t = useT();
  const control = useStorePart(call.store, (state) => state.control);
  const partners = chatPartners(control, call.termId);
  // While only hosts may be written to, the first of them is who is meant.
  const to = partners.all || draft.to !== undefined ? draft.to : partners.people[0];
  if (!partners.all && partners.people.length === 0)
    return <p className="chat-closed">{t(control.chatFor === 'hosts' ? 'chatMore.noHost' : 'chatMore.off')}</p>;
  return (
    <div className="chat-composer">
      <Receiver partners={partners} to={to} onTo={(next) => onDraft({ to: next, replyTo: undefined })} />
      {draft.replyTo && <Reply message={draft.replyTo} onCancel={() => onDraft({ ...draft, replyTo: undefined })} />}
      <AttachedFiles attachments={attachments} />
      <Line
        attachments={attachments}
        placeholder={to === undefined ? t('chat.input') : t('chatMore.inputTo', { name: to.name })}
        purpose={[draft.to?.termId, draft.replyTo?.id].join('')}
        onSay={(text) => {
          const options = { ...(to && { to }), replyTo: draft.replyTo?.id };
          const [first, ...others] = attachments.files;
          void onSay(text, { ...options, file: first?.file });
          for (const { file } of others) void onSay('', { ...options, file });
          attachments.clear();
          onDraft({ to, replyTo: undefined });
        }}
      />
      <p id="chat-hint" className={to === undefined ? 'chat-hint' : 'chat-hint chat-private'} data-testid="chat-hint">
        {to === undefined ? t('chat.hint') : privateHint(control, to, t)}
      </p>
    </div>
  );
}

/** Says who sees a private message, and that others do not, hosts included. */
function privateHint(control: ConferenceControl, { termId, name }: NonNullable<ChatMessage['to']>, t: T): string {
  return t(leads(control, termId) ? 'chatMore.privateHostHint' : 'chatMore.privateHint', { name });
}

/** Who gets the message: all, or one person. */
function Receiver({
  partners: { all, people },
  to,
  onTo,
}: {
  partners: ChatPartners;
  to: ChatMessage['to'];
  onTo: (to: ChatMessage['to']) => void;
}) {
  const t = useT();
  const isGone = to !== undefined && !people.some(({ termId }) => termId === to.termId);
  return (
    <label className="chat-to">
      {t('chatMore.to')}
      <select
        value={to?.termId ?? ''}
        data-testid="chat-to"
        onChange={(event) => onTo(people.find(({ termId }) => termId === event.target.value))}
      >
        {all && <option value="">{t('chatMore.everyone')}</option>}
        {people.map(({ termId, name }) => (
          <option key={termId} value={termId}>
            {name}
          </option>
        ))}
        {isGone && <option value={to.termId}>{t('chatMore.left', { name: to.name })}</option>}
      </select>
    </label>
  );
}

function Reply({ message, onCancel }: { message: ChatMessage; onCancel: () => void }) {
  const t = useT();
  return (
    <div className="chat-replying" data-testid="chat-replying">
      <Icon name="reply" size={16} />
      <span className="chat-replying-text">
        <span className="visually-hidden">{t('chatMore.inReply')} </span>
        <span className="chat-name">{message.name}</span> {summaryOf(message)}
      </span>
      <button
        type="button"
        className="room-icon-button"
        aria-label={t('chatMore.cancelReply')}
        title={t('chatMore.cancelReply')}
        onClick={onCancel}
      >
        <Icon name="close" size={16} />
      </button>
    </div>
  );
}

interface LineProps {
  attachments: Attachments;
  placeholder: string;
  /** Changes with the receiver and the message answered; the field gets the focus then. */
  purpose: string;
  onSay: (text: string) => void;
}

/** The field with its buttons. */
function Line({ attachments, placeholder, purpose, onSay }: LineProps) {
  const t = useT();
  const [text, setText] = useState('');
  const input = useRef<HTMLTextAreaElement>(null);
  const isEmpty = text.trim() === '' && attachments.files.length === 0;
  useEffect(() => input.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    if (purpose !== '') input.current?.focus({ preventScroll: true });
  }, [purpose]);

  const submit = () => {
    if (isEmpty) return;
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
  const insert = (emoji: string) => {
    const { selectionStart: start, selectionEnd: end } = input.current ?? { selectionStart: 0, selectionEnd: 0 };
    setText(text.slice(0, start) + emoji + text.slice(end));
  };
  return (
    <form
      className="chat-line"
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
        placeholder={placeholder}
        aria-label={placeholder}
        aria-describedby="chat-hint"
        enterKeyHint="send"
        data-testid="chat-input"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={keyDown}
        onPaste={attachments.paste}
      />
      <AttachButton attachments={attachments} />
      <EmojiButton onChosen={insert} />
      <button
        type="submit"
        className="room-icon-button chat-send"
        aria-label={t('chat.send')}
        disabled={isEmpty}
        data-testid="chat-send"
      >
        <Icon name="send" size={20} />
      </button>
    </form>
  );
}

function EmojiButton({ onChosen }: { onChosen: (emoji: string) => void }) {
  const t = useT();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <button
        type="button"
        className="room-icon-button"
        aria-label={t('chatMore.emoji')}
        title={t('chatMore.emoji')}
        aria-expanded={anchor !== null}
        data-testid="chat-emoji"
        onClick={(event) => setAnchor(anchor === null ? event.currentTarget : null)}
      >
        <Icon name="react" size={20} />
      </button>
      {anchor !== null && (
        <Suspense>
          <EmojiPicker anchor={anchor} onChosen={onChosen} onClose={() => setAnchor(null)} />
        </Suspense>
      )}
    </>
  );
}
