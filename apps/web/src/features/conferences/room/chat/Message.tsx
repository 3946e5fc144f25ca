import type { ChatMessage } from '@rmeet/contract';
import type { ReadableMessage } from '../../../../call/index.ts';
import { useLanguage } from '../../../../lib/i18n/index.ts';
import { LinkedText } from '../../../../ui/LinkedText.tsx';
import type { FileSource } from '../../../../lib/files.ts';
import { FileCard } from '../../../../ui/files/FileCard.tsx';
import { Icon } from '../../../../ui/icons.tsx';
import { Menu, MenuItem } from '../../../../ui/Menu.tsx';
import { summaryOf } from '../model/chat-files.ts';
import { useT, type T } from '../../texts.ts';

interface MessageProps {
  message: ReadableMessage;
  /** The message that it answers; undefined if there is none, or if the user does not have it. */
  original: ReadableMessage | undefined;
  /** termId of the user. */
  me: string;
  mayDelete: boolean;
  files: FileSource;
  /** Pictures are shown without a click. */
  loadsPictures: boolean;
  onReply: () => void;
  /** Writes to its sender in private. */
  onWrite: () => void;
  onDelete: () => void;
  onJump: (id: string) => void;
}

/** One message with its commands. */
export function Message(props: MessageProps) {
  const t = useT();
  const language = useLanguage();
  const { message, me } = props;
  const own = message.termId === me;
  const time = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' }).format(
    new Date(message.sentAt),
  );
  const classes = ['chat-message', own && 'chat-message-own', message.to && 'chat-message-private'];
  return (
    <li
      className={classes.filter(Boolean).join(' ')}
      tabIndex={-1}
      data-testid="chat-message"
      data-message={message.id}
    >
      <div className="chat-meta">
        <span>
          <span className="chat-name">{own ? t('chat.me') : message.name}</span>{' '}
          {message.to && <span className="chat-private">{privateLabel(message.to, me, t)} </span>}
          <time dateTime={message.sentAt}>{time}</time>
        </span>
        {message.deleted !== true && <MessageMenu {...props} own={own} />}
      </div>
      {message.replyTo !== undefined && message.deleted !== true && <Quote {...props} replyTo={message.replyTo} />}
      {message.deleted === true ? (
        <p className="chat-deleted">{t('chatMore.deleted')}</p>
      ) : message.unreadable === true ? (
        <p className="chat-deleted" data-testid="chat-unreadable">
          {t('encryption.unreadable')}
        </p>
      ) : (
        <>
          {message.text !== '' && <MessageText text={message.text} />}
          {message.file && <FileCard file={message.file} source={props.files} loadsPictures={props.loadsPictures} />}
        </>
      )}
    </li>
  );
}

/** Who else sees a private message. */
function privateLabel(to: NonNullable<ChatMessage['to']>, me: string, t: T): string {
  return to.termId === me ? t('chatMore.privateToYou') : t('chatMore.privateTo', { name: to.name });
}

/** A text with its links. */
function MessageText({ text }: { text: string }) {
  return (
    <p className="chat-text">
      <LinkedText text={text} />
    </p>
  );
}

function MessageMenu({
  message: { name },
  own,
  mayDelete,
  onReply,
  onWrite,
  onDelete,
}: MessageProps & { own: boolean }) {
  const t = useT();
  return (
    <Menu
      button={<Icon name="more" size={16} />}
      label={t('chatMore.menu', { name: own ? t('chat.me') : name })}
      className="room-icon-button chat-menu"
      testId="chat-menu"
    >
      <MenuItem testId="chat-reply" onSelect={onReply}>
        {t('chatMore.reply')}
      </MenuItem>
      {!own && (
        <MenuItem testId="chat-write" onSelect={onWrite}>
          {t('chatMore.write', { name })}
        </MenuItem>
      )}
      {mayDelete && (
        <MenuItem danger testId="chat-delete" onSelect={onDelete}>
          {t('chatMore.delete')}
        </MenuItem>
      )}
    </Menu>
  );
}

/** The first line of the message that is answered; a click goes there. */
function Quote({ original, replyTo, me, onJump }: MessageProps & { replyTo: string }) {
  const t = useT();
  if (original === undefined) return <p className="chat-quote">{t('chatMore.originalMissing')}</p>;
  return (
    <button type="button" className="chat-quote" data-testid="chat-quote" onClick={() => onJump(replyTo)}>
      <span className="visually-hidden">{t('chatMore.inReply')} </span>
      <span className="chat-name">{original.termId === me ? t('chat.me') : original.name}</span>{' '}
      {original.deleted === true ? t('chatMore.deleted') : summaryOf(original)}
    </button>
  );
}
