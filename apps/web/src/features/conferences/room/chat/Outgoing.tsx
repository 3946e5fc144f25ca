import type { OutgoingMessage } from '../../../../call/index.ts';
import { sizeWords } from '../../../../lib/sizeWords.ts';
import { FileName } from '../../../../ui/files/FileName.tsx';
import { Icon } from '../../../../ui/icons.tsx';
import { useT } from '../../texts.ts';

interface OutgoingProps {
  message: OutgoingMessage;
  onAgain: () => void;
  /** Gives the message up, and the upload of its file. */
  onTakeBack: () => void;
}

/** An own message that is being sent, or was not sent. */
export function Outgoing({ message, onAgain, onTakeBack }: OutgoingProps) {
  const t = useT();
  const { file, text, to, state } = message;
  return (
    <li className="chat-message chat-message-own" data-testid="chat-outgoing">
      {to && <p className="chat-meta chat-private">{t('chatMore.privateTo', { name: to.name })}</p>}
      {text !== '' && <p className="chat-text">{text}</p>}
      {file && <Upload name={file.content.name} {...{ message, file, onTakeBack }} />}
      {(state === 'failed' || !file) && (
        <p className="chat-meta" role={state === 'failed' ? 'alert' : undefined}>
          {state === 'sending' ? (
            t('chat.sending')
          ) : (
            <>
              <span className="chat-failed">{message.why ?? t(file ? 'chatFiles.lost' : 'chat.failed')}</span>{' '}
              {message.isFinal !== true && (
                <button type="button" className="link-button chat-again" onClick={onAgain}>
                  {t('chat.again')}
                </button>
              )}
            </>
          )}
        </p>
      )}
    </li>
  );
}

/** A file on its way: how far it is, and the button that gives it up. */
function Upload({
  name,
  message: { state },
  file: { content, progress },
  onTakeBack,
}: {
  name: string;
  message: OutgoingMessage;
  file: NonNullable<OutgoingMessage['file']>;
  onTakeBack: () => void;
}) {
  const t = useT();
  const isSending = state === 'sending';
  const percent = Math.floor(progress * 100);
  const cancel = isSending ? t('chatFiles.cancel', { name }) : t('chatFiles.remove', { name });
  return (
    <div className="file-card">
      <div className="file-card-row">
        <span className="file-card-icon">
          <Icon name={content.type.startsWith('image/') ? 'filePicture' : 'fileOther'} />
        </span>
        <span className="file-card-words">
          <FileName name={name} />
          <small>
            {sizeWords(content.size)}
            {isSending && ` · ${progress === 0 ? t('chatFiles.waits') : t('chatFiles.percent', { percent })}`}
          </small>
        </span>
        <button
          type="button"
          className="icon-button"
          aria-label={cancel}
          title={cancel}
          data-testid="chat-take-back"
          onClick={onTakeBack}
        >
          <Icon name="close" />
        </button>
      </div>
      {isSending && <progress aria-label={t('chatFiles.sending', { name })} max={1} value={progress} />}
    </div>
  );
}
