import { BROADCAST_LIMITS, type ModeratedMessage } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { useT } from '../texts.ts';
import { Messages } from './Messages.tsx';
import { merged } from './watching.ts';

interface ModeratedProps {
  id: string;
  kind: ModeratedMessage['kind'];
  /** Of the broadcast; grows with each change of a message. */
  version: number;
  own: ReadonlySet<string>;
}

interface Known {
  messages: ModeratedMessage[];
  version: number;
}
type Change = NonNullable<Parameters<typeof api.broadcasts.moderate>[0]['body']>;

const keyOf = (id: string) => ['broadcasts', 'messages', id] as const;

/** What moderators see, with held messages; fetched when something has changed. */
function useModerated(id: string, version: number) {
  const client = useQueryClient();
  const found = useQuery({
    queryKey: keyOf(id),
    queryFn: async () => {
      let known = client.getQueryData<Known>(keyOf(id)) ?? { messages: [], version: 0 };
      for (let isMore = true; isMore;) {
        const { version: since } = known;
        const { messages, version: next } = await api.broadcasts.messages({ params: { id }, query: { since } });
        known = { messages: merged(known.messages, messages), version: Math.max(since, next) };
        isMore = messages.length >= BROADCAST_LIMITS.messages && next > since;
      }
      return known;
    },
    staleTime: Infinity,
    meta: { quiet: true },
  });
  const knows = found.data?.version ?? 0;
  useEffect(() => {
    if (knows < version) void client.invalidateQueries({ queryKey: keyOf(id) }, { cancelRefetch: false });
  }, [client, id, knows, version]);
  return found;
}

/** The chat or the questions for those who look after them: they show, delete, answer, and stop authors. */
export function Moderated({ id, kind, version, own }: ModeratedProps) {
  const client = useQueryClient();
  const found = useModerated(id, version);
  const change = useMutation({
    mutationFn: ({ messageId, body }: { messageId: string; body: Change }) =>
      api.broadcasts.moderate({ params: { id, messageId }, body }),
    onSuccess: (message) =>
      client.setQueryData<Known>(keyOf(id), (known) => {
        if (known === undefined) return known;
        // An author is stopped as a whole.
        const messages = known.messages.map((one) =>
          one.viewerId === message.viewerId ? { ...one, isMuted: message.isMuted } : one,
        );
        return { ...known, messages: merged(messages, [message]) };
      }),
  });
  if (found.isPending) return <Loading />;
  if (found.isError) return <ErrorState retry={() => void found.refetch()} />;
  return (
    <Messages
      kind={kind}
      messages={found.data.messages.filter((one) => one.kind === kind)}
      own={own}
      renderTools={(message) => (
        <Tools
          message={message}
          isBusy={change.isPending && change.variables.messageId === message.id}
          onChange={(body, done) =>
            change.mutate({ messageId: message.id, body }, { ...(done && { onSuccess: done }) })
          }
        />
      )}
    />
  );
}

interface ToolsProps {
  message: ModeratedMessage;
  isBusy: boolean;
  onChange: (body: Change, done?: () => void) => void;
}

/** What can be done with a message. */
function Tools({ message, isBusy, onChange }: ToolsProps) {
  const t = useT();
  const [isAnswering, setAnswering] = useState(false);
  const { name, state, kind, isMuted, isHost, answer } = message;
  const button = (what: 'show' | 'delete' | 'mute' | 'unmute' | 'answer', run: () => void) => (
    <button
      type="button"
      aria-label={t('tools.of', { tool: t(`tools.${what}`), name })}
      aria-disabled={isBusy}
      data-testid={`message-${what}`}
      onClick={() => {
        if (!isBusy) run();
      }}
    >
      {t(`tools.${what}`)}
    </button>
  );
  return (
    <>
      <p className="watch-tools">
        {state === 'held' && button('show', () => onChange({ state: 'shown' }))}
        {kind === 'question' && answer === null && button('answer', () => setAnswering(!isAnswering))}
        {button('delete', () => onChange({ state: 'deleted' }, () => toast('success', () => t('tools.deleted'))))}
        {!isHost &&
          button(isMuted ? 'unmute' : 'mute', () =>
            onChange({ muted: !isMuted }, () =>
              toast('success', () => t(isMuted ? 'tools.unmuted' : 'tools.muted', { name })),
            ),
          )}
      </p>
      {isAnswering && (
        <Answer
          name={name}
          isBusy={isBusy}
          onAnswer={(text) => onChange({ answer: text, state: 'shown' }, () => setAnswering(false))}
          onClose={() => setAnswering(false)}
        />
      )}
    </>
  );
}

interface AnswerProps {
  name: string;
  isBusy: boolean;
  onAnswer: (text: string) => void;
  onClose: () => void;
}

function Answer({ name, isBusy, onAnswer, onClose }: AnswerProps) {
  const t = useT();
  const common = useTexts('common');
  const [text, setText] = useState('');
  return (
    <form
      className="watch-answering"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '' && !isBusy) onAnswer(text.trim());
      }}
    >
      <input
        autoFocus
        value={text}
        maxLength={BROADCAST_LIMITS.text}
        aria-label={t('tools.answerTo', { name })}
        placeholder={t('tools.answerHint')}
        data-testid="message-answer-text"
        onChange={({ target }) => setText(target.value)}
      />
      <span>
        <Button kind="quiet" onClick={onClose}>
          {common('cancel')}
        </Button>
        <Button
          kind="primary"
          type="submit"
          busy={isBusy}
          disabled={text.trim() === ''}
          data-testid="message-answer-send"
        >
          {t('tools.answerSend')}
        </Button>
      </span>
    </form>
  );
}
