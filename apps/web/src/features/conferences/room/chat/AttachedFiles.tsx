import { useRef } from 'react';
import { FileName } from '../../../../ui/files/FileName.tsx';
import { Icon } from '../../../../ui/icons.tsx';
import { sizeWords } from '../../../../lib/sizeWords.ts';
import { useT } from '../../texts.ts';
import type { Attachments } from './useAttachments.ts';

/** The files that go with the next message, and why others do not. */
export function AttachedFiles({ attachments: { files, fault, remove } }: { attachments: Attachments }) {
  const t = useT();
  const list = useRef<HTMLUListElement>(null);
  return (
    <>
      {files.length > 0 && (
        <ul ref={list} className="chat-attached" aria-label={t('chatFiles.attached')}>
          {files.map(({ key, file }) => (
            <li key={key} data-testid="chat-attached">
              <Icon name={file.type.startsWith('image/') ? 'filePicture' : 'fileOther'} size={16} />
              <FileName name={file.name} />
              <small>{sizeWords(file.size)}</small>
              <button
                type="button"
                className="room-icon-button"
                aria-label={t('chatFiles.remove', { name: file.name })}
                title={t('chatFiles.discard')}
                data-testid="chat-attached-remove"
                onClick={(event) => {
                  // The focus would be lost with the button.
                  focusBeside(event.currentTarget);
                  remove(key);
                }}
              >
                <Icon name="close" size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <p className="chat-fault" role="alert" data-testid="chat-fault">
        {fault}
      </p>
    </>
  );
}

/** Moves the focus from a button that disappears to the next file's, or to the field for the message. */
function focusBeside(button: HTMLElement): void {
  const item = button.closest('li');
  const beside = (item?.nextElementSibling ?? item?.previousElementSibling)?.querySelector('button');
  const field = button.closest('.chat-composer')?.querySelector('textarea');
  (beside ?? field)?.focus();
}

/** The button that chooses files. Where files cannot be sent it says why. */
export function AttachButton({ attachments: { isOffered, barrier, add, explain } }: { attachments: Attachments }) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  if (!isOffered) return null;
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-testid="chat-file"
        onChange={({ target }) => {
          add([...(target.files ?? [])]);
          // Reset, so that the same file can be chosen again.
          target.value = '';
        }}
      />
      <button
        type="button"
        className="room-icon-button"
        aria-label={t('chatFiles.attach')}
        aria-description={barrier ?? undefined}
        title={barrier ?? t('chatFiles.attach')}
        data-off={barrier !== null}
        data-testid="chat-attach"
        onClick={() => {
          if (barrier === null) input.current?.click();
          else explain();
        }}
      >
        <Icon name="attach" size={20} />
      </button>
    </>
  );
}
