import { useEffect, useState } from 'react';
import type { Call, CallNotice } from '../../../../call/index.ts';
import { Icon } from '../../../../ui/icons.tsx';
import { useT } from '../../texts.ts';
import { useStorePart } from '../../shared/use-store.ts';
import { firstLine } from '../model/chat-partners.ts';
import './chat.css';

/** How long a message is shown while the chat is closed, ms. */
const STAND = 6_000;

interface ChatPreviewProps {
  call: Call;
  isChatOpen: boolean;
  onOpen: () => void;
}

/** The newest message while the chat is closed, in the free part of the header, where it covers nothing. */
export function ChatPreview({ call, isChatOpen, onOpen }: ChatPreviewProps) {
  const t = useT();
  const newest = useStorePart(call.store, ({ notices }) => notices.findLast(isChat));
  const unread = useStorePart(call.store, (state) => state.unread);
  /** Id of the last notice that was shown long enough. */
  const [seen, setSeen] = useState(0);
  const id = newest?.id ?? 0;
  useEffect(() => {
    const timer = setTimeout(() => setSeen(id), STAND);
    return () => clearTimeout(timer);
  }, [id]);
  return (
    <div className="chat-preview-area" role="status" aria-live="polite">
      {!isChatOpen && newest !== undefined && seen !== id && unread > 0 && (
        <button type="button" className="chat-preview" data-testid="chat-preview" onClick={onOpen}>
          <span className="chat-name">
            {newest.isPrivate ? t('chatMore.previewPrivate', { name: newest.name }) : newest.name}
          </span>{' '}
          {newest.isFile && <Icon name="attach" size={14} />}
          <span className="chat-preview-text">{firstLine(newest.text)}</span>
        </button>
      )}
    </div>
  );
}

const isChat = (notice: CallNotice): notice is Extract<CallNotice, { kind: 'chat' }> => notice.kind === 'chat';
